-- Keeps gateway.assets.reserved, the sum of an asset's reservations.
create or replace function gateway.count_asset_reservations() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update gateway.assets set reserved = reserved - old.quantity, updated_at = clock_timestamp()
      where project_id = old.project_id and id = old.asset_id and old.quantity <> 0;
  end if;
  if tg_op <> 'DELETE' then
    update gateway.assets set reserved = reserved + new.quantity, updated_at = clock_timestamp()
      where project_id = new.project_id and id = new.asset_id and new.quantity <> 0;
  end if;
  return null;
end $$;

create or replace trigger count_asset_reservations after insert or delete or update of quantity on gateway.asset_reservations
  for each row execute function gateway.count_asset_reservations();
