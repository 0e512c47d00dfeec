-- Writes the stores of a card to gateway.card_stores.
create or replace function gateway.keep_card_stores() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from gateway.card_stores
    where project_id = old.project_id and program = old.program and card_id = old.id
      and store = any (case when old.applicable_stores = '{}' then '{""}' else old.applicable_stores end);
  end if;
  insert into gateway.card_stores (project_id, program, store, card_id)
    select distinct new.project_id, new.program, store, new.id
    from unnest(case when new.applicable_stores = '{}' then '{""}' else new.applicable_stores end) as store;
  return null;
end $$;

create or replace trigger keep_card_stores_of_new after insert on gateway.cards
  for each row execute function gateway.keep_card_stores();
create or replace trigger keep_card_stores after update of applicable_stores on gateway.cards
  for each row when (old.applicable_stores <> new.applicable_stores) execute function gateway.keep_card_stores();
