import type { ColumnType } from 'kysely'
import type { Id, Time } from './columns.ts'

export interface OperatorTables {
  /** The sessions of the database that operators ended. */
  'gateway.session_ends': {
    id: Id
    session_id: number
    started_at: Date
    program: string
    database_role: string
    /** How many sessions waited for it. */
    blocked_sessions: number
    requested_at: Time
    /** Null until the session is known to have ended. */
    ended_at: ColumnType<Date | null, undefined, Date>
  }
}
