import pg from 'pg'

/** No connection of the pool became free in time. Nothing was sent to the database. */
export class ConnectionTimeoutError extends Error {
  override readonly name = 'ConnectionTimeoutError'

  constructor(cause: unknown) {
    super('No database connection became free in time', { cause })
  }
}

/** Whether PostgreSQL itself said this error, with this SQLSTATE where one is given. */
export function isDatabaseError(error: unknown, ...states: string[]): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false
  return states.length === 0 || states.includes(error.code)
}

/** A row like it exists already: of the named constraint or unique index, or of any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23505') && (constraint === undefined || error.constraint === constraint)
}

/** What a row refers to does not exist, or what is removed is still referred to. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23503') && (constraint === undefined || error.constraint === constraint)
}

/** A row breaks a check constraint: the named one, or any. */
export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23514') && (constraint === undefined || error.constraint === constraint)
}

/**
 * A prepared statement's result changed shape, because a migration added or changed a column it returns.
 * PostgreSQL says so before the statement does anything.
 */
export function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error, '0A000') && error.routine === 'RevalidateCachedQuery'
}

/** The transaction came in another's way, did nothing, and may succeed when it is done once more from its beginning. */
export function isRetryable(error: unknown): boolean {
  return isDatabaseError(error, '40001', '40P01') || isStalePlan(error)
}

/**
 * Whether the database is too busy for the work, which it did not do: a statement exceeded `statement_timeout` (57014), a transaction was
 * idle for too long (25P03), a lock was not free in time (55P03), or there is no connection left (53300, `ConnectionTimeoutError`).
 */
export function isOverload(error: unknown): boolean {
  return error instanceof ConnectionTimeoutError || isDatabaseError(error, '57014', '25P03', '55P03', '53300')
}
