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
      select i.project_id, tg_table_name, capturing_actor, i.before, i.after
      -- offset 0: each image is computed once.
      from (select n.project_id, n.address, to_jsonb(o) as before, to_jsonb(n) as after
        from old_rows o join new_rows n on n.project_id = o.project_id and n.address = o.address offset 0) i
      where i.before - 'updated_at' is distinct from i.after - 'updated_at'
      order by i.address;
  end if;
  return null;
end $$;
