import type { DatabaseReader } from './database-reader.ts'
import { type Outcome, reportError, reportOk, reportWarning } from './finding.ts'

/** How many connections one process opens. */
export interface Capacity {
  /** DATABASE_CONNECTIONS. */
  readonly calls: number
  /** Those for jobs, streams and short reads. */
  readonly others: number
}

/** Compares the connections of one process with the limits of PostgreSQL, and with what others have open. */
export async function checkCapacity(db: DatabaseReader, { calls, others }: Capacity): Promise<Outcome[]> {
  const [row] = await db.query<{ available: number; open: number }>(`
    select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0),
        nullif((select rolconnlimit from pg_roles where rolname = current_user), -1),
        nullif((select datconnlimit from pg_database where datname = current_database()), -1)
      ) as available,
      (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()
          and application_name not like 'mintmark-%') as open`)
  if (row === undefined) return []
  const needed = calls + others
  const described = `a process of this server opens up to ${needed} connections (DATABASE_CONNECTIONS and ${others} more)`
  const action = `Lower DATABASE_CONNECTIONS to ${Math.max(2, row.available - row.open - others)} or less, or raise max_connections`
  if (needed > row.available)
    return [reportError(`PostgreSQL allows ${row.available} connections, and ${described}`, action)]
  if (needed + row.open > row.available)
    return [
      reportWarning(
        `PostgreSQL allows ${row.available} connections, others have ${row.open} open, and ${described}`,
        action,
      ),
    ]
  return [reportOk(`PostgreSQL allows ${row.available} connections, and ${described}`)]
}
