import { type Kysely, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { type ChangedSince, createChangedSince, readsClock } from './changed-since.ts'
import { type Cursor, inIndexOrder, type ListOrder, whereInRange } from './index-range.ts'
import type { ListQuery } from './list-query.ts'
import type { Position } from './segment-positions.ts'

/** How many rows are between two places of a list. */
const PLACE_ROWS = 1000
/**
 * How old places may be after a table of the list has changed, like a large count. Also for a list whose
 * changes are not recorded, such as one that depends on the clock.
 */
const PLACES_TTL_MS = 10_000
/**
 * How old places may be if no table of the list has changed. Records of older changes may have been deleted.
 */
const UNCHANGED_TTL_MS = 30_000
/**
 * How long a list is read without places after they could not be read. A statement that took too long would
 * take too long again.
 */
const FAILURE_TTL_MS = 60_000
/**
 * The maximum number of lists of one project whose places are cached, and of those whose places could not be
 * read.
 */
const MAX_CACHED_LISTS = 20

/** Every `PLACE_ROWS`th row of a long list in ascending order, as cursors. */
interface Places {
  readonly cursors: readonly Cursor[]
  /** The newest database snapshot in which they were right, and its time. */
  snapshot: string
  at: number
}

interface CachedLists {
  readonly places: Map<string, Places>
  /** When the places of a list could not be read. */
  readonly failedAt: Map<string, number>
  /** A project's places are read one list at a time. */
  isReading: boolean
}

const listsByDatabase = new WeakMap<object, CachedLists>()

/**
 * Finds the cached place before a row of a list, whose index is counted from 0 in ascending order. If there
 * is none, it starts to read the places of the list for later pages, and returns undefined.
 */
export async function findPlace(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  index: number,
): Promise<Position | undefined> {
  if (db.isTransaction) return undefined
  const value = sql<string>`${sql.ref(`${order.table}.${order.column}`)}::text`.as('value')
  const id = sql<number>`${sql.ref(`${order.table}.id`)}`.as('id')
  const keys = whereInRange(query.clearSelect().select([value, id]), order, false, undefined)
  const rows = inIndexOrder(keys, order, false)
  const { sql: text, parameters } = rows.compile()
  // A list that depends on the clock changes without a write to a table.
  const changedSince = readsClock(text) ? undefined : createChangedSince(db, text)

  const cached = getCachedLists(db)
  const key = JSON.stringify([text, parameters])
  const places = cached.places.get(key)
  if (places !== undefined && (await arePlacesValid(db, places, changedSince))) {
    const number = Math.floor(index / PLACE_ROWS)
    const after = places.cursors[number - 1]
    return after && { after, offset: index - number * PLACE_ROWS }
  }
  cached.places.delete(key)
  const failedAt = cached.failedAt.get(key)
  const hasJustFailed = failedAt !== undefined && Date.now() - failedAt < FAILURE_TTL_MS
  if (!cached.isReading && !hasJustFailed) {
    cached.isReading = true
    void cachePlaces(db, rows, key, cached)
  }
  return undefined
}

function getCachedLists(db: Kysely<never>): CachedLists {
  const cached = listsByDatabase.get(db)
  if (cached !== undefined) return cached
  const created: CachedLists = { places: new Map(), failedAt: new Map(), isReading: false }
  listsByDatabase.set(db, created)
  return created
}

/**
 * Reads the places of a list and caches them. Never rejects: the pages of the list are read without places
 * after a failure.
 */
async function cachePlaces(
  db: Kysely<never>,
  rows: ListQuery<object>,
  key: string,
  cached: CachedLists,
): Promise<void> {
  try {
    const read = await readPlaces(db, rows)
    cached.failedAt.delete(key)
    if (read !== undefined) setLimited(cached.places, key, read)
  } catch {
    setLimited(cached.failedAt, key, Date.now())
  } finally {
    cached.isReading = false
  }
}

/** Adds an entry to a map. Removes the others if there are `MAX_CACHED_LISTS`. */
function setLimited<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= MAX_CACHED_LISTS) map.clear()
  map.set(key, value)
}

async function arePlacesValid(
  db: Kysely<never>,
  places: Places,
  changedSince: ChangedSince | undefined,
): Promise<boolean> {
  const now = Date.now()
  const age = now - places.at
  if (age < PLACES_TTL_MS) return true
  if (age >= UNCHANGED_TTL_MS || changedSince === undefined) return false
  const { rows } = await sql<{ changed: boolean; snapshot: string }>`${sql.raw(PLANNED_EACH_TIME)}
    select ${changedSince(places.snapshot)} as changed, pg_current_snapshot()::text as snapshot`.execute(db)
  const [row] = rows
  if (row === undefined || row.changed) return false
  places.snapshot = row.snapshot
  places.at = now
  return true
}

/** Reads the places of a list. Returns undefined if it has become too short for places. */
async function readPlaces(db: Kysely<never>, rows: ListQuery<object>): Promise<Places | undefined> {
  const at = Date.now()
  // A single statement reads the places and the snapshot that they belong to.
  const { rows: read } = await sql<{
    value: string
    id: number
    snapshot: string
  }>`${sql.raw(PLANNED_EACH_TIME)}
    select value, id, pg_current_snapshot()::text as snapshot
    from (select value, id, row_number() over () as number from (${rows} offset 0) as listed) as numbered
    where number % ${sql.lit(PLACE_ROWS)} = 0 order by number`.execute(db)
  const [first] = read
  if (first === undefined) return undefined
  return { cursors: read.map(({ value, id }): Cursor => [value, id]), snapshot: first.snapshot, at }
}
