import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { createFieldError } from '../http/http-error.ts'
import { isDatabaseError } from '../postgres/index.ts'
import { type CreatedRange, getTimeColumn, isCreatedWithin, searchCreated } from './created-range.ts'
import { type IndexRange, inCountOrder, whereInRange } from './index-range.ts'
import { type CountQueries, countList, type ListCount, MANY_ROWS } from './list-counts.ts'
import type { Cursor, ListQuery, SelectedRange } from './list-query.ts'
import { combineSearches, isIndexedSearch, type ListSearch, selectSearchCount } from './list-search.ts'
import { type List, type PageRow, readRows } from './page-rows.ts'

/**
 * The fields that a list can be ordered by, with their columns. The default order is the first one,
 * descending.
 */
export type SortColumns = { readonly [name: string]: string }

/** A page query with its defaults applied. */
export interface PageQuery {
  pageNumber: number
  pageSize: number
  orderBy: string
  column: string
  descending: boolean
  /** The last row of the previous page. */
  after: Cursor | undefined
  /** The other fields of the caller's query. The page echoes them. */
  paras: { [name: string]: unknown }
}

/** The rows of one page. */
export interface PageRows<Row> extends ListCount {
  rows: readonly Row[]
  /** The cursor of the next page. Undefined after the last one. */
  next: string | undefined
}

interface PageInput {
  pageNumber?: number | undefined
  pageSize?: number | undefined
  orderBy?: string | undefined
  cursor?: string | undefined
}

/** The fields that an input's `orderBy` accepts. */
type OrderName<Input extends PageInput> = Exclude<
  NonNullable<Input['orderBy']>,
  '' | `${string} asc` | `${string} desc`
>

/**
 * Reads a page query and applies its defaults. Refuses an unknown order and an invalid cursor.
 *
 * @param orders The fields that the input's `orderBy` accepts: it does not compile with fewer or with others.
 */
export function readPageQuery<Input extends PageInput, Orders extends SortColumns>(
  input: Input,
  orders: Orders & Record<OrderName<Input>, string> & Record<Exclude<keyof Orders, OrderName<Input>>, never>,
  invalid: (field: string, message: string) => never,
): PageQuery {
  const { pageNumber = 1, pageSize = DEFAULT_PAGE_SIZE, orderBy = '', cursor, ...paras } = input
  const names = Object.keys(orders)
  const [name = '', direction = orderBy === '' ? 'desc' : 'asc', ...rest] =
    orderBy === '' ? [names[0]] : orderBy.split(' ')
  const columns: SortColumns = orders
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (column === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
    return invalid('orderBy', `Expected one of ${names.join(', ')}, optionally followed by ' desc'`)
  }
  if (pageNumber > 1_000_000) return invalid('pageNumber', 'Expected an integer from 1 to 1000000')
  const after = cursor === undefined ? undefined : decodeCursor(cursor, column, direction)
  if (cursor !== undefined && after === undefined) return invalid('cursor', INVALID_CURSOR)
  return { pageNumber, pageSize, orderBy, column, descending: direction === 'desc', after, paras }
}

function encodeCursor(column: string, direction: string, value: string, id: number): string {
  return Buffer.from(JSON.stringify([`${column} ${direction}`, value, id])).toString('base64url')
}

function decodeCursor(
  cursor: string,
  column: string,
  direction: string,
): readonly [string, number] | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(parts)) return undefined
  const [order, value, id] = parts
  const isValid = order === `${column} ${direction}` && typeof value === 'string' && Number.isSafeInteger(id)
  // A list in the order of the id compares the id only.
  return isValid && (column !== 'id' || value === String(id)) ? [value, id] : undefined
}

/** Refuses a cursor whose value does not have the type of its column: the caller invented or changed it. */
function refuseCursor(error: unknown): never {
  if (isDatabaseError(error, ...VALUE_ERRORS)) throw createFieldError('cursor', INVALID_CURSOR)
  throw error
}

/**
 * SQLSTATEs of texts that cannot be converted: invalid number, invalid date, date or number out of range,
 * U+0000.
 */
const VALUE_ERRORS = ['22P02', '22007', '22008', '22003', '22021']
const INVALID_CURSOR = 'Expected the paras.next of a page in this order'

export interface FindPageOptions {
  /** The range of the index that has the list in this order. By default PostgreSQL chooses an index. */
  readonly index?: IndexRange
  /** Limits the list to rows that were created within a range of time, in every order. */
  readonly created?: CreatedRange | undefined
  /** Conditions whose matches no index has in this order. The filtered query does not contain them. */
  readonly searches?: readonly ListSearch[]
  /** A condition on the present time. A list of more than 10,000 rows is counted without it. */
  readonly isCurrent?: RawBuilder<boolean> | undefined
  /**
   * Whether the ids of a page are selected first, and its rows are read by them alone. Default: true. False for a
   * query without a fast look-up by id, and where each project numbers its rows.
   */
  readonly readsByKey?: boolean
}

/**
 * Finds one page of a filtered query. Rows with equal values are ordered by id. A cursor continues after its
 * row. A page number counts from the nearer end of the list.
 *
 * @param filtered `selectFrom(table).selectAll().where(…)`, without order or limit. Its conditions include
 * the project, so that a cached count belongs to one project.
 */
export async function findPage<DB, TB extends keyof DB & string, Row>(
  database: Kysely<DB>,
  table: TB,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  page: PageQuery,
  { index = {}, created, searches = [], isCurrent, readsByKey = true }: FindPageOptions = {},
): Promise<PageRows<Row>> {
  const { column } = page
  const isByTime = created !== undefined && column === getTimeColumn(created)
  const rows = filtered as unknown as ListQuery<object>
  const whenLong = isByTime ? rows.where(isCreatedWithin(table, created)) : rows
  const inTime = isByTime ? [] : searchCreated(table, index.columns, created)
  const list: List = {
    db: database as unknown as Kysely<never>,
    query: isCurrent === undefined ? whenLong : whenLong.where(isCurrent),
    order: { table, column, index: isByTime ? { ...index, from: created.from, to: created.to } : index },
    search: combineSearches([...inTime, ...searches]),
    readsByKey,
  }
  const count = await countList(list.db, createCounts(list, whenLong))
  return await readPage(page, count, (range) => readRows(list, range))
}

/**
 * Reads one page of a list that was counted.
 *
 * @param readRange Reads a range of the list, in its direction.
 */
export async function readPage<Row>(
  page: PageQuery,
  count: ListCount,
  readRange: (range: SelectedRange) => Promise<PageRow[]>,
): Promise<PageRows<Row>> {
  const { column, after, descending, pageNumber, pageSize } = page
  const rowsLeft = Math.min(pageSize, count.totalRow - (pageNumber - 1) * pageSize)
  if (after === undefined && rowsLeft <= 0) return { rows: [], ...count, next: undefined }

  const range = after ? { descending, limit: pageSize, offset: 0, after } : getRowRange(page, count.totalRow)
  const rangeRows = await readRange(range).catch(after ? refuseCursor : undefined)
  // An offset from the end depends on the total, which may be an estimate. The pages are those of the total that
  // the response contains.
  const rows = range.descending === descending ? rangeRows : rangeRows.reverse()
  const last = rows.at(-1)
  const next =
    last && rows.length === pageSize
      ? encodeCursor(column, descending ? 'desc' : 'asc', last.cursor_value, last.id)
      : undefined
  return { rows: rows as unknown as Row[], ...count, next }
}

/** Creates the counts of a list. */
function createCounts({ query, order, search }: List, whenLong: ListQuery<object>): CountQueries {
  const selectRows = (counted: ListQuery<object>) => {
    const one = counted.clearSelect().select(sql<number>`1`.as('one'))
    const inRange = whereInRange(one, order, true, undefined)
    const rows = search === undefined ? inRange : inRange.where(search.matches)
    // In an order, PostgreSQL counts the rows of the range only. Without a range, any index may have the rows.
    return order.index.columns === undefined ? rows : inCountOrder(rows, order)
  }
  const count = (rows: ListQuery<object>) => sql<number>`select count(*)::int from (${rows}) as rows`
  const isFound = search !== undefined && isIndexedSearch(search)
  return {
    few: isFound ? selectSearchCount(query, order, search) : count(selectRows(query).limit(MANY_ROWS)),
    all: count(selectRows(whenLong)),
  }
}

/** Returns the range of a page's rows, from the nearer end of the list. */
function getRowRange({ pageNumber, pageSize, descending }: PageQuery, totalRow: number): SelectedRange {
  const offset = (pageNumber - 1) * pageSize
  if (offset <= totalRow / 2) return { descending, limit: pageSize, offset, after: undefined }
  const limit = Math.min(pageSize, totalRow - offset)
  return { descending: !descending, limit, offset: totalRow - offset - limit, after: undefined }
}

/** Creates the page object (specification, "Page object"). */
export function toPage<Row, Item>(
  query: PageQuery,
  page: PageRows<Row>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const totalPage = Math.ceil(page.totalRow / query.pageSize)
  return {
    firstPage: query.pageNumber === 1,
    lastPage: query.pageNumber >= totalPage,
    list: page.rows.map(toItem),
    orderBy: query.orderBy,
    pageNumber: query.pageNumber,
    pageSize: query.pageSize,
    paras: {
      ...query.paras,
      ...(page.isEstimate && { totalIsEstimate: true }),
      ...(page.next !== undefined && query.pageNumber < totalPage && { next: page.next }),
    },
    totalPage,
    totalRow: page.totalRow,
  }
}
