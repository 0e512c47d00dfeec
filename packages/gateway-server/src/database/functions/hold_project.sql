-- Refuses to change the rows of a project that is copied to another cell, or has moved to it: see
-- cells/hold-project.ts, which creates the triggers. Jobs that change rows of all projects by one statement leave them out.
create or replace function gateway.hold_project() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moved_to text;
begin
  if coalesce(current_setting('mintmark.project', true), '') = '' and gateway.present_actor() = any (
    array['job:orders', 'job:mints', 'job:passed times', 'job:maintenance']) then
    return null;
  end if;
  select p.cell into moved_to from gateway.projects p where p.id = tg_argv[0]::bigint and p.state = 'MOVED';
  if found then
    raise exception 'Project % has moved', tg_argv[0] using errcode = 'MM002', detail = moved_to;
  end if;
  raise exception 'Project % is being moved', tg_argv[0] using errcode = 'MM001';
end $$;
