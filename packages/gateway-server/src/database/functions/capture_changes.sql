-- Stores the rows that a statement changed, with the actor of the connection, so that they are audited and
-- reported as events: of an updated row the changed columns before, and all after. The arguments of the trigger are
-- the columns whose change alone is not stored.
-- `row-changes.ts` creates the triggers. Rows have the columns project_id and id.
create or replace function gateway.capture_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set jit = off as $$
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
      select i.project_id, tg_table_name, capturing_actor, i.before, i.after
      -- offset 0: each image is computed once.
      from (select r.project_id, r.id, r.after, (
          select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(r.before) e
          where e.value <> r.after -> e.key) as before
        from (select n.project_id, n.id, to_jsonb(o) as before, to_jsonb(n) as after
          from old_rows o join new_rows n on n.project_id = o.project_id and n.id = o.id offset 0) r offset 0) i
      where i.before - tg_argv[0:] <> '{}'
      order by i.id;
  end if;
  return null;
end $$;
