import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { createChangedSince, RECORDED_MS, readsClock } from './changed-since.ts'
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
  /** The database snapshot of the count. */
  readonly snapshot: string
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
  /** Whether one of the query's tables changed after a snapshot. Undefined when changes are not recorded. */
  readonly changedSince: ((snapshot: string) => RawBuilder<boolean>) | undefined
  readonly dependsOnClock: boolean
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

/**
 * Counts the rows of a list. Up to 10,000 the count is exact and includes all writes that were committed
 * before the call. A larger count may be ten seconds old, or ten times the duration of the count, at most a
 * minute. Counts above 100 (above 1,000 if they depend on the clock) and those of searches are cached, and
 * repeated when one of the query's tables has changed.
 *
 * @param segments How segments count the list.
 * @param selectRowCount Selects the number of rows. Default: PostgreSQL counts the rows of the query.
 */
export async function countList(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  search: ListSearch | undefined,
  segments: SegmentOptions,
  selectRowCount?: SelectRowCount,
): Promise<ListCount> {
  const count = createCountQuery(db, query, order, search, segments, selectRowCount)
  const cached = db.isTransaction ? undefined : count.cache.get(count.key)
  if (cached === undefined) return await countNow(count)
  if (cached.total > MAX_EXACT_COUNT) {
    const large = { total: cached.total, segments: createSegmentReader(count) }
    const counted = await readTimedValue(cached, large, () => repeatLargeCount(count, cached))
    // A list that has become short is counted exactly. Another call may have begun to count it before this one.
    return counted.total > MAX_EXACT_COUNT ? counted : await countNow(count)
  }
  const age = Date.now() - cached.at
  if (count.changedSince === undefined) return await countNow(count)
  if (age >= (count.dependsOnClock ? CLOCK_COUNT_TTL_MS : COUNT_TTL_MS)) return await countNow(count)
  return await countIfChanged(count, cached, count.changedSince(cached.snapshot))
}

/** Repeats a large count, unless no table has changed. */
async function repeatLargeCount(count: CountQuery, cached: CachedCount): Promise<ListCount> {
  const { changedSince, dependsOnClock } = count
  const isComparable = !dependsOnClock && cached.snapshot !== '' && Date.now() - cached.at < RECORDED_MS
  if (changedSince === undefined || !isComparable) return await countNow(count)
  return await countIfChanged(count, cached, changedSince(cached.snapshot))
}

function createCountQuery(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  search: ListSearch | undefined,
  segments: SegmentOptions,
  selectRowCount: SelectRowCount | undefined,
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
  const changedSince = createChangedSince(db, text)
  return {
    db,
    exact,
    all: selectRows(null),
    key: JSON.stringify([text, parameters]),
    cache,
    changedSince,
    dependsOnClock: readsClock(text),
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
  /** Null when no table has changed. */
  readonly total: number | null
  readonly snapshot: string
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
  const { total, snapshot } = await runCount(count.db, sql<number>`(${exact})`)
  if (total === null) return undefined
  if (total === MANY_RESULTS) return await countAll(count)
  store(count, { total, snapshot, at, ttlMs: getTimeToLive(Date.now() - at) })
  return { total }
}

/** Repeats a cached count if one of its tables has changed, in one statement. */
async function countIfChanged(
  count: CountQuery,
  cached: CachedCount,
  changed: RawBuilder<boolean>,
): Promise<ListCount> {
  const at = Date.now()
  const repeated = sql<number>`case when ${changed} then (${count.exact}) end`
  const { total, snapshot } = await runCount(count.db, repeated)
  if (total === MANY_RESULTS) return await countAll(count)
  // Without a change, a count that does not depend on the clock is as good as a new one. One that does keeps
  // its age.
  const validSince = total === null && count.dependsOnClock ? cached.at : at
  const valid = total ?? cached.total
  const ttlMs = total === null ? cached.ttlMs : getTimeToLive(Date.now() - at)
  store(count, { total: valid, snapshot, at: validSince, ttlMs })
  return { total: valid, segments: valid > MAX_EXACT_COUNT ? createSegmentReader(count) : undefined }
}

async function countAll(count: CountQuery): Promise<ListCount> {
  const counted = await countSegments(count)
  if (counted !== undefined) return counted
  const at = Date.now()
  const { total, snapshot } = await runCount(count.db, sql<number>`(${count.all})`)
  store(count, { total: total ?? 0, snapshot, at, ttlMs: getTimeToLive(Date.now() - at) })
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
  // A count by segments is cheap to repeat, so no snapshot validates it.
  store(count, { total, snapshot: '', at, ttlMs: COUNT_TTL_MS })
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

function store(
  { db, cache, key, changedSince, dependsOnClock, isSearch }: CountQuery,
  count: CachedCount,
): void {
  const isLarge = count.total > MAX_EXACT_COUNT
  const minimum = dependsOnClock ? MAX_UNCACHED_CLOCK_COUNT : MAX_UNCACHED_COUNT
  const isCacheable =
    isLarge || (((isSearch && !dependsOnClock) || count.total > minimum) && changedSince !== undefined)
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

async function runCount(db: Kysely<never>, total: RawBuilder<number>): Promise<CountRow> {
  const { rows } = await sql<CountRow>`${sql.raw(PLANNED_EACH_TIME)}
    select (${total}) as total, pg_current_snapshot()::text as snapshot`.execute(db)
  return rows[0] ?? { total: 0, snapshot: '' }
}
