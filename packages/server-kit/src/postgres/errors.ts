import pg from 'pg'

/** No connection became available in time. Nothing was sent to the database. */
export class ConnectionTimeoutError extends Error {
  override readonly name = 'ConnectionTimeoutError'

  constructor(cause: unknown) {
    super('No database connection became available in time', { cause })
  }
}

/** Whether PostgreSQL returned this error, with one of these SQLSTATEs if any are given. */
export function isDatabaseError(error: unknown, ...states: string[]): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false
  return states.length === 0 || states.includes(error.code)
}

/** Whether a row violates a unique constraint or index: the named one, or any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23505') && (constraint === undefined || error.constraint === constraint)
}

/** Whether a row violates a foreign key: the named one, or any. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23503') && (constraint === undefined || error.constraint === constraint)
}

/** Whether a row violates a check constraint: the named one, or any. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23514') && (constraint === undefined || error.constraint === constraint)
}

/**
 * Whether the result of a prepared statement has other columns because of a migration. PostgreSQL returns
 * this error before it runs the statement.
 */
export function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error, '0A000') && error.routine === 'RevalidateCachedQuery'
}

/** Whether a transaction was rolled back because of a conflict and may succeed when it is repeated. */
export function isRetryable(error: unknown): boolean {
  return isDatabaseError(error, '40001', '40P01') || isStalePlan(error)
}

/**
 * Whether the database was too busy and did nothing: a statement exceeded `statement_timeout` (57014), a
 * transaction was idle for too long (25P03), a lock was not available in time (55P03), or no connection was
 * available (53300, `ConnectionTimeoutError`).
 */
export function isOverload(error: unknown): boolean {
  return error instanceof ConnectionTimeoutError || isDatabaseError(error, '57014', '25P03', '55P03', '53300')
}

/** Codes of a connection that broke. PostgreSQL's own errors have other ones. */
const BROKEN_CONNECTION = /^(?:ECONNRESET|EPIPE|ETIMEDOUT)$/
/** Messages of pg for connections that broke, or do not respond. These errors have no code. */
const BROKEN_MESSAGE = /^(?:Connection terminated unexpectedly|Query read timeout)$/

/**
 * Whether the connection broke before the result of a statement arrived, so that the statement may have been
 * executed. When PostgreSQL returned an error, it was not, except during COMMIT: see
 * `CommitOutcomeUnknownError`.
 */
export function isConnectionBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (BROKEN_MESSAGE.test(error.message)) return true
  return 'code' in error && BROKEN_CONNECTION.test(String(error.code))
}
