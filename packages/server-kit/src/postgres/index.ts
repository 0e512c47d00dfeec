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
export { type Database, type DatabaseOptions, openDatabase } from './database.ts'
export * from './embedded.ts'
export * from './end-session.ts'
export * from './errors.ts'
export type { ListChanges } from './list-changes.ts'
export {
  KEY_FACTOR,
  type ListSegments,
  type SegmentedOrder,
  type SegmentedTable,
  selectUniqueKey,
} from './list-segments.ts'
export * from './migrations.ts'
export * from './roles.ts'
export { hasSharedSessions } from './shared-sessions.ts'
export { readSqlFunctions, type SqlFunction, SqlFunctionError } from './sql-functions.ts'
export * from './transaction.ts'
