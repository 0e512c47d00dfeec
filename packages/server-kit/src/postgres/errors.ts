import pg from 'pg'

/** No connection became available in time. Nothing was sent to the database. */
export class ConnectionTimeoutError extends Error {
  override readonly name = 'ConnectionTimeoutError'

  constructor(cause: unknown) {
    super('No database connection became available in time', { cause })
  }
}

/** No connection to the database could be opened. Nothing was sent to the database. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'

  constructor(cause: unknown) {
    super(`No connection to the database: ${describeReason(cause)}`, { cause })
  }
}

/** Describes why a connection failed. A host with several addresses fails with one error per address. */
export function describeReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(describeReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The server accepts no writes, so its connections are not used. */
export class ReadOnlyDatabaseError extends Error {
  override readonly name = 'ReadOnlyDatabaseError'

  constructor() {
    super('The database is read-only: it is a standby, or default_transaction_read_only is on')
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
const BROKEN_CONNECTION = /^(?:ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/
/** Messages of pg for connections that broke, or do not respond. These errors have no code. */
const BROKEN_MESSAGE = /^(?:Connection terminated(?: unexpectedly)?|Query read timeout)$/
/** Messages of pg for a statement that it did not send, because its connection had broken before. */
const UNSENT_MESSAGE =
  /^(?:Client has encountered a connection error and|Client was closed and) is not queryable$/

/**
 * Whether the connection broke before the result of a statement arrived, so that the statement may have been
 * executed. When PostgreSQL returned an error, it was not, except during COMMIT: see
 * `CommitOutcomeUnknownError`. A pool between it and the server may return an error of class 08 (connection
 * exception) instead.
 */
export function isConnectionBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (BROKEN_MESSAGE.test(error.message) || isDatabaseError(error, '57P02')) return true
  return (
    'code' in error && (BROKEN_CONNECTION.test(String(error.code)) || /^08\w{3}$/.test(String(error.code)))
  )
}

/** Whether a statement was not sent, because its connection had broken before. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && UNSENT_MESSAGE.test(error.message)
}

/**
 * SQLSTATEs of a server that accepts no writes (25006), that shuts down, starts or was told to end the session
 * (57P01 to 57P05), and of connections that failed (class 08).
 */
const ENDING_STATE = /^(?:25006|57P0[1-5]|08\w{3})$/

/**
 * Whether a connection must not be used after this error: it broke, or its server ends it or accepts no
 * writes. After a failover such a server may stay alive behind its address.
 */
export function endsConnection(error: unknown): boolean {
  if (isDatabaseError(error)) return ENDING_STATE.test(error.code ?? '')
  return isConnectionBroken(error) || isUnsent(error)
}

/**
 * Whether the database could not be used and did nothing: there was no connection, or its server accepts no
 * writes or ended the session before the statement completed.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError || error instanceof ReadOnlyDatabaseError) return true
  return isUnsent(error) || isDatabaseError(error, '25006', '57P01', '57P03', '57P05')
}
