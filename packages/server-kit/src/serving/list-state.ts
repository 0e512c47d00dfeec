import { type Kysely, type RawBuilder, sql } from 'kysely'
import { findListChanges, listRecordedTables } from '../postgres/list-changes.ts'
import { PLANNED_AS_LIST } from '../postgres/statement-names.ts'

/** Whether the rows of a query depend on the time. */
const readsClock = (text: string): boolean => text.includes('clock_timestamp')

/** Changes are recorded for at least this long. Older records may be deleted. */
export const RECORDED_MS = 50_000

/** What decides whether something that was read from a list is still right. */
export interface ListState {
  /** The database snapshot of the read. */
  readonly snapshot: string
  /** When rows enter or leave the list next, if no table changes. Null: never. */
  readonly next_change: string | null
}

/** Compares the state of a list with an earlier one. */
export interface StateCheck {
  /** Selects the columns of the state of a statement that reads the list. */
  readonly columns: RawBuilder<unknown>
  /** Whether rows enter and leave the list as time passes, and `hasChanged` does not notice it. */
  readonly missesClock: boolean
  /** The condition that the list has other rows than in an earlier state, or may have. */
  hasChanged(state: ListState): RawBuilder<boolean>
}

/**
 * Selects when rows enter or leave a list after a time, if no table changes. Null: never.
 *
 * @param after The start of the statement. A list that changes while it is read is not read correctly.
 */
export type SelectNextChange = (after: RawBuilder<unknown>) => RawBuilder<Date | null>

/**
 * Creates the check of a list. Returns undefined if the changes of one of its tables are not recorded.
 *
 * @param text The SQL of the list.
 */
export function createStateCheck(
  db: Kysely<never>,
  text: string,
  selectNextChange: SelectNextChange | undefined,
): StateCheck | undefined {
  const changes = findListChanges(db)
  const tables = changes && listRecordedTables(text, changes)
  if (changes === undefined || tables === undefined) return undefined
  const dependsOnClock = readsClock(text)
  const nextChange = dependsOnClock ? selectNextChange?.(sql`statement_timestamp()`) : undefined
  return {
    missesClock: dependsOnClock && nextChange === undefined,
    columns: sql`pg_current_snapshot()::text as snapshot, (${nextChange ?? sql`null`})::text as next_change`,
    hasChanged: ({ snapshot, next_change: next }) => sql<boolean>`(exists (
      select from ${sql.table(`${changes.schema}.${changes.table}`)}
      where relation = any(${tables}::text[]) and transaction >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
        and not pg_visible_in_snapshot(transaction, ${snapshot}::pg_snapshot))
      or clock_timestamp() >= coalesce(${next}::timestamptz, 'infinity'))`,
  }
}

/** The newest state in which something that was read from a list was right, and its time. */
export interface KnownState {
  readonly state: ListState
  readonly at: number
}

/**
 * Returns the present state of a list if it has not changed since an earlier one. Undefined if it has, or may
 * have, because changes since then may no longer be recorded.
 */
export async function findUnchangedState(
  db: Kysely<never>,
  check: StateCheck,
  { state, at }: KnownState,
): Promise<ListState | undefined> {
  if (Date.now() - at >= RECORDED_MS) return undefined
  const { rows } = await sql<{ changed: boolean; snapshot: string }>`${sql.raw(PLANNED_AS_LIST)}
    select ${check.hasChanged(state)} as changed, pg_current_snapshot()::text as snapshot`.execute(db)
  const [row] = rows
  return row === undefined || row.changed ? undefined : { ...state, snapshot: row.snapshot }
}
