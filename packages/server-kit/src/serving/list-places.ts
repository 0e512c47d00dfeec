import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { type BackgroundReads, createBackgroundReads } from './background-reads.ts'
import { type Cursor, inIndexOrder, type ListOrder, whereInRange } from './index-range.ts'
import type { ListQuery } from './list-query.ts'
import { MAX_FOUND_ROWS } from './list-search.ts'
import {
  createStateCheck,
  findUnchangedState,
  type ListState,
  type SelectNextChange,
  type StateCheck,
} from './list-state.ts'
import type { Position } from './segment-positions.ts'
import { getTimeToLive } from './timed-value.ts'

/** The fewest rows between two places of a list. */
const MIN_DISTANCE = 100
/** The maximum number of places of a list. */
const MAX_PLACES = 1000
/** How long a page waits for the places of its list. */
const MAX_WAIT_MS = 3000
/** A page with more rows than this between it and the nearer end of the list waits for places. */
const MAX_DIRECT_ROWS = 20_000
/** The maximum number of lists of one project whose places are cached. */
const MAX_CACHED_LISTS = 20

/** Every `distance`th row of a list in ascending order, as cursors. */
interface Places {
  readonly cursors: readonly Cursor[]
  readonly distance: number
  readonly readAt: number
  /** The newest state in which they were right, and its time. Undefined if the list can change unnoticed. */
  state: ListState | undefined
  at: number
  /** How long they may be used after that. */
  readonly ttlMs: number
}

const findCachedLists = createBackgroundReads<Places>({
  maxValues: MAX_CACHED_LISTS,
  failure: 'Could not read the places of a long list',
})

interface PlacedRow {
  /** Counted from 0 in ascending order. */
  readonly index: number
  /** How many rows are between the row and the nearer end of the list. */
  readonly fromEnd: number
  /** The number of rows of the list. It is exact up to `MAX_FOUND_ROWS`. */
  readonly totalRow: number
  readonly selectNextChange: SelectNextChange | undefined
}

/**
 * Finds the cached place before a row of a list. If the list has no places, it starts to read them. Returns
 * undefined if it does not wait for them, or if the read fails, takes more than `MAX_WAIT_MS` or is blocked by
 * the read of another list of the project. The places of an exact list are only used while the list has not
 * changed.
 */
export async function findPlace(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  { index, fromEnd, totalRow, selectNextChange }: PlacedRow,
): Promise<Position | undefined> {
  if (db.isTransaction) return undefined
  const value = sql<string>`${sql.ref(`${order.table}.${order.column}`)}::text`.as('value')
  const id = sql<number>`${sql.ref(`${order.table}.id`)}`.as('id')
  const keys = whereInRange(query.clearSelect().select([value, id]), order, false, undefined)
  const rows = inIndexOrder(keys, order, false)
  const { sql: text, parameters } = rows.compile()
  const created = createStateCheck(db, text, selectNextChange)
  const check = created?.missesClock ? undefined : created
  const isExact = totalRow <= MAX_FOUND_ROWS
  const list: PlacedList = {
    db,
    table: order.table,
    rows,
    key: JSON.stringify([text, parameters]),
    check,
    isExact,
    distance: Math.max(MIN_DISTANCE, Math.ceil(totalRow / MAX_PLACES)),
  }
  if (isExact && check === undefined) return undefined

  const lists = findCachedLists(db)
  const places =
    (await findPlaces(list, lists)) ?? (await readNewPlaces(list, lists, fromEnd > MAX_DIRECT_ROWS))
  if (places === undefined) return undefined
  const number = Math.floor(index / places.distance)
  const after = places.cursors[number - 1]
  return after && { after, offset: index - number * places.distance }
}

/** A list with places. */
interface PlacedList {
  readonly db: Kysely<never>
  readonly table: string
  /** Selects the keys of all rows. */
  readonly rows: ListQuery<object>
  readonly key: string
  /** Undefined if the list can change unnoticed. */
  readonly check: StateCheck | undefined
  /** Whether the pages of the list have the rows of the time of the call. */
  readonly isExact: boolean
  /** How many rows are between two places that are read now. */
  readonly distance: number
}

/**
 * Returns the cached places of a list unless they have expired. From half of their time to live on, it reads
 * new ones in the background.
 */
async function findPlaces(list: PlacedList, lists: BackgroundReads<Places>): Promise<Places | undefined> {
  const places = lists.values.get(list.key)
  if (places === undefined) return undefined
  const age = Date.now() - places.at
  if (list.isExact) return (await haveNotChanged(list, places)) ? places : undefined
  if (age < places.ttlMs / 2 || (await haveNotChanged(list, places))) return places
  if (age < places.ttlMs) {
    startReading(list, lists)
    return places
  }
  // Another call may have replaced them meanwhile.
  if (lists.values.get(list.key) === places) lists.values.delete(list.key)
  return lists.values.get(list.key)
}

/** Starts to read the places of a list, unless those of another one are being read. */
async function readNewPlaces(
  list: PlacedList,
  lists: BackgroundReads<Places>,
  isAwaited: boolean,
): Promise<Places | undefined> {
  startReading(list, lists)
  if (!isAwaited || lists.reading?.key !== list.key) return undefined
  await Promise.race([lists.reading.result, setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
  return lists.values.get(list.key)
}

function startReading(list: PlacedList, lists: BackgroundReads<Places>): void {
  // Those of an exact list that changes are not read more often than they would expire.
  const places = list.isExact ? lists.values.get(list.key) : undefined
  const wasJustRead = places !== undefined && Date.now() - places.readAt < places.ttlMs
  if (!wasJustRead) lists.start(list.key, list.table, () => readPlaces(list))
}

/** Returns whether a list has not changed since its places were read, and renews their age. */
async function haveNotChanged({ db, check }: PlacedList, places: Places): Promise<boolean> {
  if (check === undefined || places.state === undefined) return false
  const now = Date.now()
  const state = await findUnchangedState(db, check, { state: places.state, at: places.at })
  if (state === undefined) return false
  places.state = state
  places.at = now
  return true
}

/** Reads the places of a list. Returns undefined if it has become too short for places. */
async function readPlaces({ db, rows, distance, check }: PlacedList): Promise<Places | undefined> {
  const at = Date.now()
  // A single statement reads the places and the state that they belong to.
  const { rows: read } = await sql<Partial<ListState> & { value: string; id: number }>`${sql.raw(
    PLANNED_EACH_TIME,
  )}
    with state as materialized (select ${check?.columns ?? sql`1 as one`})
    select value, id, state.*
    from state, (select value, id, row_number() over () as number from (${rows} offset 0) as listed) as numbered
    where number % ${sql.lit(distance)} = 0 order by number`.execute(db)
  const [first] = read
  if (first === undefined) return undefined
  const { snapshot, next_change = null } = first
  return {
    cursors: read.map(({ value, id }): Cursor => [value, id]),
    distance,
    readAt: at,
    state: snapshot === undefined ? undefined : { snapshot, next_change },
    at,
    ttlMs: getTimeToLive(Date.now() - at),
  }
}
