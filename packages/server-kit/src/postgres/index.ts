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
export { type Database, openDatabase } from './database.ts'
export * from './embedded.ts'
export * from './end-session.ts'
export * from './errors.ts'
export { explainFolderProblem } from './folder-problem.ts'
export * from './migrations.ts'
export type { PoolOptions } from './project-pool.ts'
export * from './roles.ts'
export { hasSharedSessions } from './shared-sessions.ts'
export { readSqlFunctions, type SqlFunction, SqlFunctionError } from './sql-functions.ts'
export * from './transaction.ts'
