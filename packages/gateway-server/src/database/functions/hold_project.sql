-- Refuses to change the rows of a project that is copied to another cell: see cells/hold-project.ts, which creates the
-- triggers. Jobs that change rows of all projects by one statement leave them out instead.
create or replace function gateway.hold_project() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('mintmark.project', true), '') = '' and gateway.present_actor() = any (
    array['job:orders', 'job:mints', 'job:passed times', 'job:maintenance']) then
    return null;
  end if;
  raise exception 'Project % is being moved', tg_argv[0] using errcode = 'MM001';
end $$;
