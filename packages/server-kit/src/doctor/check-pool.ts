import { type Outcome, reportError } from './finding.ts'

/**
 * Reports a pool that gives one session of PostgreSQL to several connections, as PgBouncer does in transaction mode. Other pools cannot be told from
 * PostgreSQL.
 *
 * @param processes The server's process of each of several connections that are open at the same time.
 */
export function describePool(processes: readonly number[]): Outcome[] {
  if (new Set(processes).size === processes.length) return []
  return [
    reportError(
      'DATABASE_URL leads to a pool in transaction mode, which shares the sessions that are bound to a project and passes on no notifications',
      'Connect DATABASE_URL to PostgreSQL directly, or set pool_mode = session in PgBouncer',
    ),
  ]
}
