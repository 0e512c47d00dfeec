export * from './actor.ts'
export {
  type BlockedSession,
  type Blocker,
  type BlockingSession,
  LISTED_SESSIONS,
  listBlockedSessions,
  type SessionIdentity,
} from './blocked-sessions.ts'
export { UnsafeIntegerError } from './column-types.ts'
export * from './compile-read.ts'
export { type ClientOptions, connectClient, MAX_LIFETIME_MS } from './connect-client.ts'
export { type Database, openDatabase } from './database.ts'
export { type DatabaseProblem, findDatabaseProblem } from './database-problem.ts'
export * from './end-session.ts'
export {
  ConnectionTimeoutError,
  DatabaseUnavailableError,
  endsConnection,
  isCheckViolation,
  isConnectionBroken,
  isDatabaseError,
  isForeignKeyViolation,
  isOverload,
  isRetryable,
  isStalePlan,
  isUnavailable,
  isUniqueViolation,
  ReadOnlyDatabaseError,
} from './errors.ts'
export * from './migrations.ts'
export type { PoolOptions } from './project-pool.ts'
export { Replica } from './replica.ts'
export * from './roles.ts'
export { listServerUrls, ServerAddresses } from './server-addresses.ts'
export { checkWritable } from './session-settings.ts'
export { hasSharedSessions } from './shared-sessions.ts'
export { readSqlFunctions, type SqlFunction, SqlFunctionError } from './sql-functions.ts'
export * from './transaction.ts'
