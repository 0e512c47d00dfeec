import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { readKnownRange } from './found-ids.ts'
import {
  type Cursor,
  type FirstRows,
  inIndexOrder,
  type ListOrder,
  whereInRange,
  whereSameRow,
} from './index-range.ts'
import { findPlace } from './list-places.ts'
import type { ListQuery } from './list-query.ts'
import {
  type FoundRange,
  type IndexedSearch,
  isIndexedSearch,
  type ListSearch,
  MAX_COUNTED_IDS,
  MAX_FOUND_ROWS,
  readFoundRange,
} from './list-search.ts'
import type { SegmentReader } from './list-segments.ts'
import type { SelectNextChange } from './list-state.ts'
import { findPosition, type Position } from './segment-positions.ts'

/** A filtered query with the order and the key of its rows. */
export interface List {
  readonly db: Kysely<never>
  readonly query: ListQuery<object>
  readonly order: ListOrder
  readonly rowKey: readonly string[]
  readonly search: ListSearch | undefined
  readonly isSorted: boolean
  /** Reduces the query to a superset of its first rows. Undefined if an index has the rows in their order. */
  readonly reduceTo: ((first: FirstRows) => ListQuery<object>) | undefined
  /** Selects exactly the rows of a range, for a list whose rows several indexes have. */
  readonly selectRange: ((range: SelectedRange) => ListQuery<object>) | undefined
  /** Whether a page may begin at a row in the middle of the list. */
  readonly hasPlaces: boolean
  readonly selectNextChange: SelectNextChange | undefined
  readonly totalRow: number
}

/** Adjacent rows of a list, read in one direction. */
export interface RowRange {
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
  /** An id that no row of the range exceeds. Undefined if it is not known. */
  readonly lastId?: number | undefined
}

/** The rows of a range that follow a cursor's row, if there is a cursor. */
export interface SelectedRange extends RowRange {
  readonly after: Cursor | undefined
}

export interface PageRow {
  readonly id: number
  readonly cursor_value: string
}

/** Compares rows with a cursor's row, in the order of a range. */
function isAfter(
  value: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  descending: boolean,
  after: Cursor | undefined,
) {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(${value}, ${id}) ${descending ? sql`<` : sql`>`} (${after[0]}, ${after[1]})`
}

/** Pages with more rows before them are found by segments or places. */
const MAX_READ_OFFSET = 1000
/** The same for lists with an exact total, which have places at shorter distances. */
const MAX_EXACT_READ_OFFSET = 200
/** A segment with more rows than this has many of the same creation time. */
const MAX_SEGMENT_OFFSET = 2000

/** Reads the rows of a range of a list, or those of it that follow a cursor. */
export async function readRows(
  list: List,
  range: RowRange,
  after: Cursor | undefined,
  segments: SegmentReader | undefined,
): Promise<PageRow[]> {
  const { query, search, isSorted, totalRow } = list
  if (search && isIndexedSearch(search)) {
    const isFound =
      totalRow <= MAX_FOUND_ROWS || (totalRow <= MAX_COUNTED_IDS && range.offset <= MAX_READ_OFFSET)
    if (isFound) return await readFound(list, search, { ...range, after, totalRow })
  }
  const matching = search
    ? { ...list, query: query.where(search.matches), reduceTo: undefined, selectRange: undefined }
    : list
  if (isSorted) return await sortRange(matching, range, after)
  const maxReadOffset = totalRow > MAX_FOUND_ROWS ? MAX_READ_OFFSET : MAX_EXACT_READ_OFFSET
  if (range.offset <= maxReadOffset) return await readRange(matching, range, after)
  const { descending, limit } = range
  const position = await findRow(matching, range, segments)
  if (position === undefined) return await readRange(matching, range, after)
  const rows = await readRange(
    matching,
    { descending: false, limit, offset: position.offset, lastId: position.lastId },
    position.after,
  )
  return descending ? rows.reverse() : rows
}

/** Searches with more results than this are found by cached ids. */
const MAX_UNCACHED_RESULTS = 100

/** Reads the rows of a range of a search, whose results an index finds. */
async function readFound(
  { db, query, order, selectNextChange }: List,
  search: IndexedSearch,
  range: FoundRange,
): Promise<PageRow[]> {
  const known =
    range.totalRow > MAX_UNCACHED_RESULTS
      ? await readKnownRange<PageRow>({ db, query, order, search, selectNextChange }, range)
      : undefined
  return known ?? (await readFoundRange(db, query, order, search, range))
}

/**
 * Finds the first row of a range in ascending order, by the segments or the places of the list. The total may
 * be cached, but segments are read again: their sum has the offset from the newest row that the pages near it
 * have.
 */
async function findRow(
  { db, query, order, hasPlaces, totalRow, selectNextChange }: List,
  { descending, limit, offset }: RowRange,
  segments: SegmentReader | undefined,
): Promise<Position | undefined> {
  const read = await segments?.read()
  if (read === undefined && totalRow > MAX_FOUND_ROWS) await segments?.request()
  const rowCount = read?.totalRow ?? totalRow
  const index = descending ? rowCount - offset - limit : offset
  const position = read && findPosition(read, index, limit)
  if (read !== undefined && (position?.offset ?? 0) <= MAX_SEGMENT_OFFSET) return position
  if (!hasPlaces) return position
  const row = { index, fromEnd: offset, totalRow: rowCount, selectNextChange }
  return (await findPlace(db, query, order, row)) ?? position
}

/** Returns the query of a list, reduced to the first rows of a range if it can be. */
function reduce({ query, order, reduceTo }: List, range: RowRange, after: Cursor | undefined) {
  const { descending, limit, offset } = range
  return reduceTo?.({ count: offset + limit, column: order.column, descending, after }) ?? query
}

/** Reads all rows of a list, whatever index finds them, and sorts them. */
async function sortRange(list: List, range: RowRange, after: Cursor | undefined): Promise<PageRow[]> {
  const { db, order } = list
  const { descending, limit, offset } = range
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const value = sql.ref(`page_row.${order.column}`)
  const id = sql.ref('page_row.id')
  const listed = whereInRange(reduce(list, range, after), order, descending, undefined)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, ${value}::text as cursor_value from (${listed} offset 0) as page_row
    where ${isAfter(value, id, descending, after)}
    order by ${value} ${direction}, ${id} ${direction} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

async function readRange(list: List, range: RowRange, after: Cursor | undefined): Promise<PageRow[]> {
  const { db, order, rowKey, selectRange } = list
  const { descending, limit, offset } = range
  if (selectRange !== undefined) return await readSelected(list, selectRange({ ...range, after }), descending)
  const inRange = whereInRange(reduce(list, range, after), order, descending, after)
  const rowsInRange = inIndexOrder(inRange, order, descending).limit(limit).offset(offset)
  const cursorValue = sql<string>`${sql.ref(`${order.table}.${order.column}`)}::text`.as('cursor_value')
  if (offset === 0 || rowKey.length === 0) {
    const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
      ${rowsInRange.select(cursorValue)}`.execute(db)
    return rows
  }
  return await readByKey(list, rowsInRange.clearSelect().select(cursorValue), descending)
}

/** Reads the rows of a range, which a query selects. */
async function readSelected(
  { db, order }: List,
  rows: ListQuery<object>,
  descending: boolean,
): Promise<PageRow[]> {
  const cursorValue = sql<string>`${sql.ref(`${order.table}.${order.column}`)}::text`.as('cursor_value')
  const { rows: read } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    ${inIndexOrder(rows, order, descending).select(cursorValue)}`.execute(db)
  return read
}

/**
 * Reads rows by their keys. The derived table selects the keys once, and the lateral one looks up each row.
 */
async function readByKey(
  { db, query, order: { table, column }, rowKey }: List,
  keys: ListQuery<object>,
  descending: boolean,
): Promise<PageRow[]> {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const columns = [...new Set([column, 'id', ...rowKey])]
  const keyRows = keys.select(columns.map((name) => sql.ref(`${table}.${name}`).as(name)))
  const row = whereSameRow(query.clearWhere(), table, 'place', rowKey)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, place.cursor_value from (${keyRows}) as place
    cross join lateral (${row}) as page_row
    order by ${sql.ref(`place.${column}`)} ${direction}, place.id ${direction}`.execute(db)
  return rows
}
