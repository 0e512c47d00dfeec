-- Records that a transaction changed a table, for every project whose rows it changed. `list-changes.ts`
-- creates the triggers.
create or replace function gateway.record_list_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into gateway.list_changes (project_id, relation)
    select distinct project_id, tg_table_name from changed
    on conflict do nothing;
  return null;
end $$;
