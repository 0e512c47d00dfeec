-- Refuses to change the rows of a project that is copied to another cell, or has moved to it: see
-- cells/hold-project.ts, which creates the triggers. They stay after the move, so that a process that was suspended
-- meanwhile writes nothing here. The project may come back before they are removed. Jobs that change rows of all
-- projects by one statement leave out those of a project that is held.
create or replace function gateway.hold_project() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  project gateway.projects;
begin
  select p.* into project from gateway.projects p where p.id = tg_argv[0]::bigint;
  if project.state = 'ACTIVE' then
    return coalesce(new, old);
  end if;
  if coalesce(current_setting('mintmark.project', true), '') = '' and gateway.present_actor() = any (
    array['job:orders', 'job:mints', 'job:passed times', 'job:maintenance']) then
    return null;
  end if;
  if project.state = 'MOVED' then
    raise exception 'Project % has moved', tg_argv[0] using errcode = 'MM002', detail = project.cell;
  end if;
  raise exception 'Project % is being moved', tg_argv[0] using errcode = 'MM001';
end $$;
