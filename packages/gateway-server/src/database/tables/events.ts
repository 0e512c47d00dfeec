import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Time } from './columns.ts'

export interface EventTables {
  /** What transactions changed and the sequencer has not reported yet. Triggers insert these rows. */
  'gateway.row_changes': {
    id: GeneratedAlways<number>
    project_id: number
    relation: string
    /** An xid8 as decimal text. */
    transaction: GeneratedAlways<string>
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
    /** Who made the change; '' for changes from before this column. */
    actor: string
    changed_at: Time
    /** Why the change could not be reported; '' if that was not tried yet. */
    problem: string
    /** Whether the audit log has the change. */
    is_audited: boolean
    /** Identifies the changed row in its table. */
    row_key: GeneratedAlways<string>
  }
  'gateway.event_counts': { project_id: number; newest: number; dropped: Generated<number> }
  'gateway.events': {
    project_id: number
    /** From 1, without gaps. */
    sequence: number
    type: string
    subject: string
    occurred_at: Date
    data: ColumnType<unknown, string, never>
    /** The length of the data's text. */
    data_bytes: GeneratedAlways<number>
    recorded_at: Time
  }
}
