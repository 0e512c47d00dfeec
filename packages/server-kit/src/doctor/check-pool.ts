import { type Outcome, reportError } from './finding.ts'

/**
 * Reports a pool that gives one session of PostgreSQL to several connections, as PgBouncer does in
 * transaction mode.
 */
export function describePool(sharesSessions: boolean): Outcome[] {
  if (!sharesSessions) return []
  return [
    reportError(
      'DATABASE_URL leads to a pool in transaction mode, where a call could read rows of another project, and the servers do not start',
      'Connect DATABASE_URL to PostgreSQL directly, or set pool_mode = session in PgBouncer',
    ),
  ]
}
