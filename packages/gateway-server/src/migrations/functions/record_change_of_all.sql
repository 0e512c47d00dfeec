-- Records that a transaction changed a table whose rows belong to no single project. `list-changes.ts`
-- creates the triggers.
create or replace function gateway.record_change_of_all() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into gateway.list_changes (project_id, relation)
    select 0, tg_table_name where exists (select from changed)
    on conflict do nothing;
  return null;
end $$;
