-- Returns mint reservations that are due to be read from their chains, and postpones them by the lease, with an
-- equal share for each project. See claim_due_orders.
create or replace function gateway.claim_due_mints(
  how_many integer, lease interval, after_project bigint default 0, busy_projects bigint[] default '{}'
)
returns table (project_id bigint, reservation_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment constant timestamptz := clock_timestamp();
  -- the projects after the given one, then the others
  lower_bounds constant bigint[] := array[after_project, 0];
  upper_bounds constant bigint[] := array[9223372036854775807, after_project];
  projects bigint[] := '{}';
  project bigint;
  share integer;
  claimed integer := 0;
  claimed_before integer;
  claimed_now integer;
begin
  for part in 1..2 loop
    projects := projects || array(
      with recursive waiting as (
        (select d.project_id, d.due_at from gateway.mint_reservations d
         where d.due_at is not null and d.project_id > lower_bounds[part]
         order by d.project_id, d.due_at limit 1)
        union all
        select n.project_id, n.due_at from waiting w cross join lateral (
          select d.project_id, d.due_at from gateway.mint_reservations d
          where d.due_at is not null and d.project_id > w.project_id
          order by d.project_id, d.due_at limit 1) n
        where n.project_id <= upper_bounds[part]
      )
      select w.project_id from waiting w
      where w.due_at <= moment and w.project_id <= upper_bounds[part] and w.project_id <> all (busy_projects)
      limit how_many - cardinality(projects));
  end loop;
  loop
    claimed_before := claimed;
    share := greatest(1, (how_many - claimed) / greatest(1, cardinality(projects)));
    foreach project in array projects loop
      exit when claimed = how_many;
      return query
        update gateway.mint_reservations o set due_at = moment + lease
        where o.project_id = project and o.id = any (array(
          select d.id from gateway.mint_reservations d
          where d.project_id = project and d.due_at <= moment
          order by d.due_at limit share for update skip locked))
        returning o.project_id, o.id;
      get diagnostics claimed_now = row_count;
      claimed := claimed + claimed_now;
    end loop;
    exit when claimed in (claimed_before, how_many);
  end loop;
end $$;
revoke all on function gateway.claim_due_mints(integer, interval, bigint, bigint[]) from public;
grant execute on function gateway.claim_due_mints(integer, interval, bigint, bigint[]) to mintmark_gateway;
