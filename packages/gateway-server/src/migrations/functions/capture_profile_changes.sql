-- Stores the profiles that a statement changed, as capture_changes does for tables with an id.
create or replace function gateway.capture_profile_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  capturing_actor constant text := gateway.present_actor();
begin
  if tg_op = 'INSERT' then
    insert into gateway.row_changes (project_id, relation, actor, after)
      select n.project_id, tg_table_name, capturing_actor, to_jsonb(n) from new_rows n order by n.address;
  elsif tg_op = 'DELETE' then
    insert into gateway.row_changes (project_id, relation, actor, before)
      select o.project_id, tg_table_name, capturing_actor, to_jsonb(o) from old_rows o order by o.address;
  else
    insert into gateway.row_changes (project_id, relation, actor, before, after)
      select n.project_id, tg_table_name, capturing_actor, to_jsonb(o), to_jsonb(n)
      from old_rows o join new_rows n on n.project_id = o.project_id and n.address = o.address
      where to_jsonb(o) - 'updated_at' is distinct from to_jsonb(n) - 'updated_at'
      order by n.address;
  end if;
  return null;
end $$;
