-- Stores the rows that a statement changed, with the actor of the connection, so that they are audited and reported as events. The arguments of the
-- trigger are the columns whose change alone is not stored. `row-changes.ts` creates the triggers. Rows have the columns project_id and id.
create or replace function gateway.capture_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  capturing_actor constant text := gateway.present_actor();
begin
  if tg_op = 'INSERT' then
    insert into gateway.row_changes (project_id, relation, actor, after)
      select n.project_id, tg_table_name, capturing_actor, to_jsonb(n) from new_rows n order by n.id;
  elsif tg_op = 'DELETE' then
    insert into gateway.row_changes (project_id, relation, actor, before)
      select o.project_id, tg_table_name, capturing_actor, to_jsonb(o) from old_rows o order by o.id;
  else
    insert into gateway.row_changes (project_id, relation, actor, before, after)
      select n.project_id, tg_table_name, capturing_actor, to_jsonb(o), to_jsonb(n)
      from old_rows o join new_rows n on n.project_id = o.project_id and n.id = o.id
      where to_jsonb(o) - tg_argv[0:] is distinct from to_jsonb(n) - tg_argv[0:]
      order by n.id;
  end if;
  return null;
end $$;
