import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import {
  createStateCheck,
  findUnchangedState,
  type KnownState,
  type ListState,
  type SelectNextChange,
  type StateCheck,
} from './list-state.ts'

/** The maximum number of cached reads of one project. */
const MAX_READS = 100

/** A read of rows that changes only with the tables of its text, and with time as `selectNextChange` says. */
export interface CheckedRead<Row> {
  /** Selects the rows. They are passed on as JSON, so that large numbers must be texts. */
  readonly rows: RawBuilder<Row>
  /** Selects when the rows change next, if no table changes. */
  readonly selectNextChange: SelectNextChange
}

interface CachedRows<Row> extends KnownState {
  readonly rows: readonly Row[]
}

/**
 * Creates a cache of the few rows of a statement that reads many. They are exact: each call checks whether
 * something has changed since they were read, and reads them again if it has.
 */
export function createCheckedCache<Row>(): <DB>(
  database: Kysely<DB>,
  read: CheckedRead<Row>,
) => Promise<readonly Row[]> {
  const readsByDatabase = new WeakMap<object, Map<string, CachedRows<Row>>>()
  return async (database, { rows, selectNextChange }) => {
    const db = database as unknown as Kysely<never>
    const { sql: text, parameters } = rows.compile(db)
    const check = createStateCheck(db, text, selectNextChange)
    // A transaction has no check: it sees its own uncommitted rows.
    if (check === undefined || check.missesClock) return (await rows.execute(db)).rows
    const reads = readsByDatabase.get(db) ?? new Map<string, CachedRows<Row>>()
    readsByDatabase.set(db, reads)
    const key = JSON.stringify([text, parameters])
    const current = await readIfChanged(db, rows, check, reads.get(key))
    if (reads.size >= MAX_READS && !reads.has(key)) reads.clear()
    reads.set(key, current)
    return current.rows
  }
}

/** Reads rows again if they may have changed. */
async function readIfChanged<Row>(
  db: Kysely<never>,
  rows: RawBuilder<Row>,
  check: StateCheck,
  cached: CachedRows<Row> | undefined,
): Promise<CachedRows<Row>> {
  const at = Date.now()
  const unchanged = cached && (await findUnchangedState(db, check, cached))
  if (cached && unchanged) return { rows: cached.rows, state: unchanged, at }
  // A single statement reads the rows and the state that they belong to. The planner reads the next change in the
  // order of its index.
  const { rows: read } = await sql<ListState & { rows: string }>`${sql.raw(PLANNED_EACH_TIME)}
    select ${check.columns}, (select coalesce(json_agg(read), '[]') from (${rows}) as read)::text as rows`.execute(
    db,
  )
  const [row] = read
  if (row === undefined) throw new Error('The statement returned no row')
  const { snapshot, next_change } = row
  return { rows: JSON.parse(row.rows), state: { snapshot, next_change }, at }
}
