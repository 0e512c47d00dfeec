import type { ColumnType, Generated } from 'kysely'
import type { Time } from './columns.ts'

export interface AuditTables {
  /** The newest entry of each project. */
  'gateway.audit_heads': {
    project_id: number
    sequence: number
    hash: Buffer
    /** The number of the last entry that was archived; 0 for none. */
    archived_sequence: Generated<number>
    archived_hash: Generated<Buffer>
  }
  /** Rows are only inserted. Old partitions are dropped once they are archived. */
  'gateway.audit_entries': {
    project_id: number
    /** The number of the entry, from 1 without gaps. */
    id: number
    occurred_at: Date
    actor: string
    record_type: string
    record_id: string
    action: 'CREATED' | 'UPDATED' | 'DELETED'
    /**
     * Each changed column with its value before and after. A created row has no value before, a deleted one
     * none after, and their empty columns are left out.
     */
    changes: ColumnType<Record<string, { before?: unknown; after?: unknown }>, string, never>
    /** The hash of the entry before; empty for the first one. */
    previous_hash: Buffer
    hash: Buffer
    recorded_at: Time
  }
}
