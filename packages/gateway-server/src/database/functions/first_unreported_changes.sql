-- Lists the first change of each project that is not reported as an event yet. Reads one index entry for each
-- project.
create or replace function gateway.first_unreported_changes()
returns table (project_id bigint, id bigint, changed_at timestamptz)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive waiting as (
    (select c.project_id, c.id, c.changed_at from gateway.row_changes c
     where c.problem = '' order by c.project_id, c.id limit 1)
    union all
    select n.project_id, n.id, n.changed_at from waiting w cross join lateral (
      select c.project_id, c.id, c.changed_at from gateway.row_changes c
      where c.problem = '' and c.project_id > w.project_id order by c.project_id, c.id limit 1) n
  )
  select w.project_id, w.id, w.changed_at from waiting w
  -- Another cell reports those of a frozen project.
  where not exists (select from gateway.projects p where p.id = w.project_id and p.state <> 'ACTIVE')
$$;
revoke all on function gateway.first_unreported_changes() from public;
