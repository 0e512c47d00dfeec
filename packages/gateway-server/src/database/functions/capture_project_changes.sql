-- Stores the projects that a statement changed, as capture_changes does for rows of projects. A project
-- belongs to itself.
create or replace function gateway.capture_project_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  capturing_actor constant text := gateway.present_actor();
begin
  if tg_op = 'INSERT' then
    insert into gateway.row_changes (project_id, relation, actor, after)
      select n.id, tg_table_name, capturing_actor, to_jsonb(n) from new_rows n order by n.id;
  elsif tg_op = 'DELETE' then
    insert into gateway.row_changes (project_id, relation, actor, before)
      select o.id, tg_table_name, capturing_actor, to_jsonb(o) from old_rows o order by o.id;
  else
    insert into gateway.row_changes (project_id, relation, actor, before, after)
      select n.id, tg_table_name, capturing_actor, to_jsonb(o), to_jsonb(n)
      from old_rows o join new_rows n on n.id = o.id
      where to_jsonb(o) is distinct from to_jsonb(n)
      order by n.id;
  end if;
  return null;
end $$;
