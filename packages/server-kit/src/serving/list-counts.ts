import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { inCountOrder, type ListOrder, whereBetween, whereInRange } from './index-range.ts'
import type { ListQuery } from './list-query.ts'
import {
  isIndexedSearch,
  type ListSearch,
  MANY_RESULTS,
  MAX_FOUND_ROWS,
  selectSearchCount,
} from './list-search.ts'
import {
  type CountBetween,
  findOrderedList,
  findSegmentedList,
  isLongBySegments,
  readSegments,
  requestSegments,
  type SegmentedList,
  type SegmentOptions,
  type SegmentReader,
} from './list-segments.ts'
import {
  createStateCheck,
  findUnchangedState,
  type ListState,
  type SelectNextChange,
  type StateCheck,
} from './list-state.ts'
import { getTimeToLive, readTimedValue, type TimedValue } from './timed-value.ts'

/** Counts up to this number are exact. Larger ones are cached for the time that `getTimeToLive` returns. */
const MAX_EXACT_COUNT = MAX_FOUND_ROWS
/** Counts up to this number are cheaper to repeat than to cache. */
const MAX_UNCACHED_COUNT = 100
/** The same for counts that depend on the clock: a cached one may include a row that has just expired. */
const MAX_UNCACHED_CLOCK_COUNT = 1000
const COUNT_TTL_MS = 10_000
/** The time to live of counts that depend on the clock: they change without a write to a table. */
const CLOCK_COUNT_TTL_MS = 1000
/** The maximum number of cached counts of one project. */
const MAX_CACHED_COUNTS = 200

/** A cached count. Only large counts use the time to live. */
interface CachedCount extends TimedValue<ListCount> {
  readonly total: number
  /** The newest state that is known to have the count. Undefined if none is. */
  readonly state: ListState | undefined
}

/** Cached counts by Kysely instance, which belongs to one database and one project. */
const countsByDatabase = new WeakMap<object, Map<string, CachedCount>>()

/** A count of a list, with its cache. */
interface CountQuery {
  readonly db: Kysely<never>
  /** Selects the exact number of rows, or `MANY_RESULTS`. */
  readonly exact: RawBuilder<number>
  /** Selects the number of all rows. */
  readonly all: RawBuilder<number>
  readonly key: string
  readonly cache: Map<string, CachedCount>
  /** Undefined when changes of a table are not recorded. */
  readonly check: StateCheck | undefined
  /** Whether counting few rows may read the whole list. */
  readonly isSearch: boolean
  /** The list's segments, by which many rows are counted. */
  readonly segmented: SegmentedList | undefined
  /** The segments in the order of the pages. */
  readonly paged: SegmentedList | undefined
  readonly countBetween: CountBetween
}

/** Selects the number of rows of a list, at most `limit` unless it is null. */
type SelectRowCount = (limit: number | null) => RawBuilder<number>

/** The number of rows of a list, and its segments if it is long and may have them. */
export interface ListCount {
  readonly total: number
  readonly segments?: SegmentReader | undefined
}

export interface CountOptions {
  /** How segments count the list. */
  readonly segments: SegmentOptions
  /** Default: PostgreSQL counts the rows of the query. */
  readonly selectRowCount?: SelectRowCount | undefined
  readonly selectNextChange?: SelectNextChange | undefined
}

/**
 * Counts the rows of a list. Up to 10,000 the count is exact and includes all writes that were committed
 * before the call. A larger count may be ten seconds old, or ten times the duration of the count, at most a
 * minute. Counts above 100 (above 1,000 if they depend on the clock) and those of searches are cached, and
 * repeated when one of the query's tables has changed.
 */
export async function countList(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  search: ListSearch | undefined,
  options: CountOptions,
): Promise<ListCount> {
  const count = createCountQuery(db, query, order, search, options)
  const cached = db.isTransaction ? undefined : count.cache.get(count.key)
  if (cached === undefined) return await countNow(count)
  if (cached.total > MAX_EXACT_COUNT) {
    const large = { total: cached.total, segments: createSegmentReader(count) }
    const counted = await readTimedValue(cached, large, () => repeatLargeCount(count, cached))
    // A list that has become short is counted exactly. Another call may have begun to count it before this one.
    return counted.total > MAX_EXACT_COUNT ? counted : await countNow(count)
  }
  const age = Date.now() - cached.at
  if (count.check === undefined || cached.state === undefined) return await countNow(count)
  if (age >= (count.check.missesClock ? CLOCK_COUNT_TTL_MS : COUNT_TTL_MS)) return await countNow(count)
  return await countIfChanged(count, cached, cached.state, count.check)
}

/** Repeats a large count, unless no table has changed. */
async function repeatLargeCount(count: CountQuery, cached: CachedCount): Promise<ListCount> {
  const { check } = count
  if (check === undefined || check.missesClock || cached.state === undefined) return await countNow(count)
  return await countIfChanged(count, cached, cached.state, check)
}

function createCountQuery(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  search: ListSearch | undefined,
  { segments, selectRowCount, selectNextChange }: CountOptions,
): CountQuery {
  const inRange = whereInRange(query.clearSelect().select(sql<number>`1`.as('one')), order, true, undefined)
  const listed = search === undefined ? inRange : inRange.where(search.matches)
  // In an order, PostgreSQL counts the rows of the range only. Without a range, any index may have the rows.
  const rows = order.index.columns === undefined ? listed : inCountOrder(listed, order)
  const selectRows =
    (search === undefined ? selectRowCount : undefined) ?? ((limit) => selectCount(rows, limit))
  const exact =
    search !== undefined && isIndexedSearch(search)
      ? selectSearchCount(query, order, search)
      : selectRows(MANY_RESULTS)
  const { sql: text, parameters } = rows.compile()
  let cache = countsByDatabase.get(db)
  if (cache === undefined) {
    cache = new Map()
    countsByDatabase.set(db, cache)
  }
  return {
    db,
    exact,
    all: selectRows(null),
    key: JSON.stringify([text, parameters]),
    cache,
    check: createStateCheck(db, text, selectNextChange),
    isSearch: search !== undefined,
    ...findSegments(db, order, search, segments),
    countBetween(after, last) {
      const one = query.clearSelect().select(sql<number>`1`.as('one'))
      return selectCount(inCountOrder(whereBetween(one, order, after, last), order), null)
    },
  }
}

/** Finds the segments that count a list, and those that find its pages. */
function findSegments(
  db: Kysely<never>,
  order: ListOrder,
  search: ListSearch | undefined,
  options: SegmentOptions,
): Pick<CountQuery, 'segmented' | 'paged'> {
  if (search !== undefined) return { segmented: undefined, paged: undefined }
  const ofCreation = findSegmentedList(db, order, options)
  const ordered = findOrderedList(db, order, options)
  return {
    segmented: ofCreation ?? ordered,
    paged: ofCreation?.column === order.column ? ofCreation : ordered,
  }
}

interface CountRow {
  /** Null if the list is long. */
  readonly total: number | null
  readonly state: ListState | undefined
}

/** Counts the rows, or adds up the segments of a list that is long by them. */
async function countNow(count: CountQuery): Promise<ListCount> {
  const { exact, segmented } = count
  if (segmented === undefined) return (await runExactCount(count, exact)) ?? { total: 0 }
  const isLong = isLongBySegments(segmented, MAX_EXACT_COUNT)
  const counted = await runExactCount(
    count,
    sql<number>`select case when ${isLong} then null else (${exact}) end`,
  )
  // A range of times may have fewer rows than its segments.
  return counted ?? (await countAll(count))
}

/** Runs an exact count. Returns undefined if its result is null. */
async function runExactCount(count: CountQuery, exact: RawBuilder<number>): Promise<ListCount | undefined> {
  const at = Date.now()
  const { total, state } = await runCount(count, sql<number>`(${exact})`)
  if (total === null) return undefined
  if (total === MANY_RESULTS) return await countAll(count)
  store(count, { total, state, at, ttlMs: getTimeToLive(Date.now() - at) })
  return { total }
}

/** Returns a cached count, or counts again if the list has changed since a state. */
async function countIfChanged(
  count: CountQuery,
  cached: CachedCount,
  since: ListState,
  check: StateCheck,
): Promise<ListCount> {
  const now = Date.now()
  const state = await findUnchangedState(count.db, check, { state: since, at: cached.at })
  if (state === undefined) return await countNow(count)
  const { total, ttlMs } = cached
  // An unchanged count is as good as a new one, unless the clock can change it unnoticed: it keeps its age then.
  store(count, { total, state, at: check.missesClock ? cached.at : now, ttlMs })
  return { total, segments: total > MAX_EXACT_COUNT ? createSegmentReader(count) : undefined }
}

async function countAll(count: CountQuery): Promise<ListCount> {
  const counted = await countSegments(count)
  if (counted !== undefined) return counted
  const at = Date.now()
  const { total, state } = await runCount(count, sql<number>`(${count.all})`)
  store(count, { total: total ?? 0, state, at, ttlMs: getTimeToLive(Date.now() - at) })
  if (total !== null && total > MAX_EXACT_COUNT && count.segmented !== undefined)
    await requestSegments(count.db, count.segmented)
  return { total: total ?? 0, segments: createSegmentReader(count) }
}

/** Counts the rows of a long list by its segments. Returns undefined if it is not long or has none. */
async function countSegments(count: CountQuery): Promise<ListCount | undefined> {
  const at = Date.now()
  const { db, segmented, paged, countBetween } = count
  const segments = segmented && (await readSegments(db, segmented, countBetween))
  if (segments === undefined || segments.totalRow <= MAX_EXACT_COUNT) return undefined
  const total = segments.totalRow
  // A count by segments is cheap to repeat, so no state validates it.
  store(count, { total, state: undefined, at, ttlMs: COUNT_TTL_MS })
  // The page is read by the same segments.
  const reader = createSegmentReader(count)
  return {
    total,
    segments: reader && paged === segmented ? { ...reader, read: async () => segments } : reader,
  }
}

function createSegmentReader({ db, paged, countBetween }: CountQuery): SegmentReader | undefined {
  if (paged === undefined) return undefined
  return {
    read: async () => await readSegments(db, paged, countBetween),
    request: async () => await requestSegments(db, paged),
  }
}

function store({ db, cache, key, check, isSearch }: CountQuery, count: CachedCount): void {
  const isLarge = count.total > MAX_EXACT_COUNT
  const minimum = check?.missesClock ? MAX_UNCACHED_CLOCK_COUNT : MAX_UNCACHED_COUNT
  const isCacheable =
    isLarge || (check !== undefined && ((isSearch && !check.missesClock) || count.total > minimum))
  // A transaction sees its own uncommitted rows.
  if (!isCacheable || db.isTransaction) {
    cache.delete(key)
    return
  }
  if (cache.size >= MAX_CACHED_COUNTS && !cache.has(key)) cache.clear()
  cache.set(key, count)
}

const selectCount = (rows: ListQuery<object>, limit: number | null) =>
  sql<number>`select count(*)::int from (${limit === null ? rows : rows.limit(limit)}) as rows`

async function runCount({ db, check }: CountQuery, total: RawBuilder<number>): Promise<CountRow> {
  const { rows } = await sql<Partial<ListState> & { total: number | null }>`${sql.raw(PLANNED_EACH_TIME)}
    select (${total}) as total, ${check?.columns ?? sql`1 as one`}`.execute(db)
  const { total: counted = 0, snapshot, next_change = null } = rows[0] ?? {}
  return { total: counted, state: snapshot === undefined ? undefined : { snapshot, next_change } }
}
