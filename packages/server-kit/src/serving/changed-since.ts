import { type Kysely, type RawBuilder, sql } from 'kysely'
import { findListChanges, listRecordedTables } from '../postgres/list-changes.ts'

/** Whether the rows of a query depend on the time. */
export const readsClock = (text: string): boolean => text.includes('clock_timestamp')

/** Changes are recorded for at least this long. Older records may be deleted. */
export const RECORDED_MS = 50_000

/** Creates the condition that a table has changed since a snapshot of the database. */
export type ChangedSince = (snapshot: string) => RawBuilder<boolean>

/**
 * Creates the condition that a table of a query has changed since a snapshot. Returns undefined when the
 * changes of one are not recorded.
 */
export function createChangedSince(db: Kysely<never>, text: string): ChangedSince | undefined {
  const changes = findListChanges(db)
  const tables = changes && listRecordedTables(text, changes)
  if (changes === undefined || tables === undefined) return undefined
  return (snapshot) => sql<boolean>`exists (
    select from ${sql.table(`${changes.schema}.${changes.table}`)}
    where relation = any(${tables}::text[]) and transaction >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
      and not pg_visible_in_snapshot(transaction, ${snapshot}::pg_snapshot))`
}
