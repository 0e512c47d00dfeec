import type { SqlFunction } from '@mintmark/server-kit'

interface DueTable {
  readonly name: string
  readonly table: string
  /** The column that identifies a row. */
  readonly key: string
  /** The name of the id in what the function returns. */
  readonly id: string
}

/**
 * Creates a function that returns rows whose chains are due to be read, and postpones them by the lease. Its
 * callers serve all projects, and the servers' role sees one at a time: it runs as the schema's owner and
 * returns only ids.
 *
 * Each project has an equal share, and what a project does not need is shared by the others. If more projects
 * wait than `how_many`, they take turns: those after `after_project` come first, in the order of their ids.
 * Projects of `busy_projects` get nothing. Reads one index entry for each project that is passed.
 */
const createClaim = ({ name, table, key, id }: DueTable): SqlFunction => ({
  name,
  sql: `create or replace function gateway.${name}(
  how_many integer, lease interval, after_project bigint default 0, busy_projects bigint[] default '{}'
)
returns table (project_id bigint, ${id} bigint)
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
        (select d.project_id, d.due_at from gateway.${table} d
         where d.due_at is not null and d.project_id > lower_bounds[part]
         order by d.project_id, d.due_at limit 1)
        union all
        select n.project_id, n.due_at from waiting w cross join lateral (
          select d.project_id, d.due_at from gateway.${table} d
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
        update gateway.${table} o set due_at = moment + lease
        where o.project_id = project and o.${key} = any (array(
          select d.${key} from gateway.${table} d
          where d.project_id = project and d.due_at <= moment
          order by d.due_at limit share for update skip locked))
        returning o.project_id, o.${key};
      get diagnostics claimed_now = row_count;
      claimed := claimed + claimed_now;
    end loop;
    exit when claimed in (claimed_before, how_many);
  end loop;
end $$;
revoke all on function gateway.${name}(integer, interval, bigint, bigint[]) from public;
grant execute on function gateway.${name}(integer, interval, bigint, bigint[]) to mintmark_gateway;
`,
})

/** The functions that claim due orders and mint reservations. */
export const dueClaims: readonly SqlFunction[] = [
  createClaim({ name: 'claim_due_orders', table: 'order_checks', key: 'order_id', id: 'order_id' }),
  createClaim({ name: 'claim_due_mints', table: 'mint_reservations', key: 'id', id: 'reservation_id' }),
]
