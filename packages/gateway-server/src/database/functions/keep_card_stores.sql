-- Writes the stores and the campaign of a card to gateway.card_stores.
create or replace function gateway.keep_card_stores() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from gateway.card_stores
    where project_id = old.project_id and program = old.program and card_id = old.id
      and store = any (case when old.store_keys = '{}' then '{""}' else old.store_keys end);
  end if;
  insert into gateway.card_stores (project_id, program, store, card_id)
    select distinct new.project_id, new.program, store, new.id
    from unnest(case when new.store_keys = '{}' then '{""}' else new.store_keys end) as store;
  if tg_op = 'INSERT' and new.campaign_id is not null then
    insert into gateway.card_stores (project_id, program, store, card_id)
      values (new.project_id, new.program, ' campaign' || new.campaign_id, new.id);
  end if;
  return null;
end $$;

create or replace trigger keep_card_stores_of_new after insert on gateway.cards
  for each row execute function gateway.keep_card_stores();
create or replace trigger keep_card_stores after update of store_keys on gateway.cards
  for each row when (old.store_keys <> new.store_keys) execute function gateway.keep_card_stores();
