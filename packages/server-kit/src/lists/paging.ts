import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { createFieldError } from '../http/http-error.ts'
import { isDatabaseError } from '../postgres/index.ts'
import { type FirstRows, type IndexRange, inCountOrder, whereInRange } from './index-range.ts'
import { type CountQueries, countList, type ListCount, MANY_ROWS } from './list-counts.ts'
import type { Cursor, ListQuery, SelectedRange } from './list-query.ts'
import { isIndexedSearch, type ListSearch, selectSearchCount } from './list-search.ts'
import { type List, readRows } from './page-rows.ts'

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

export interface FindPageOptions<Query> {
  /**
   * The columns that identify a row of `table`, `id` by default. Empty for a derived table, because reading
   * one of its rows by key costs as much as reading all of them.
   */
  readonly rowKey?: readonly string[]
  /** The range of the index that has the list in this order. By default PostgreSQL chooses an index. */
  readonly index?: IndexRange
  /** A condition whose matches no index has in this order. The filtered query does not contain it. */
  readonly search?: ListSearch | undefined
  /**
   * Returns the filtered query reduced to a superset of its first rows, for a filter that otherwise reads all
   * rows of the list before they are ordered. Not used for counting, nor for a list that is sorted.
   */
  readonly reduceTo?: (first: FirstRows) => Query
  /**
   * Selects exactly the rows of a range, for a list whose rows several indexes have. Not used for a list that
   * is searched or sorted.
   */
  readonly selectRange?: ((range: SelectedRange) => Query) | undefined
  /**
   * Selects the number of rows, at most `limit` unless it is null, for a list whose rows several indexes
   * have. By default the rows of the index are counted, or those that PostgreSQL finds by any index. Not used
   * for a list that is searched.
   */
  readonly selectCount?: ((limit: number | null) => RawBuilder<number>) | undefined
  /**
   * Whether no index has the rows of this list in this order, so that all of its rows are read and sorted.
   * Default: false.
   */
  readonly isSorted?: boolean
  /**
   * The filtered query without its conditions on the present time, which counts a list of more than 10,000 rows.
   * Default: the filtered query.
   */
  readonly countedWhenLong?: Query | undefined
}

/**
 * Finds one page of a filtered query. Rows with equal values are ordered by id. A cursor continues after its
 * row. A page number selects the keys of its rows first, from the nearer end of the list, and then reads each
 * row by its key.
 *
 * @param filtered `selectFrom(table).selectAll().where(…)`, without order or limit. Its conditions include
 * the project, so that a cached count belongs to one project.
 */
export async function findPage<DB, TB extends keyof DB & string, Row>(
  database: Kysely<DB>,
  table: TB,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  page: PageQuery,
  options: FindPageOptions<SelectQueryBuilder<DB, TB, Row>> = {},
): Promise<PageRows<Row>> {
  const { column, after, descending, pageNumber, pageSize } = page
  const { reduceTo, selectRange, countedWhenLong } = options
  const list: List = {
    db: database as unknown as Kysely<never>,
    query: filtered as unknown as ListQuery<object>,
    order: { table, column, index: options.index ?? {} },
    rowKey: options.rowKey ?? ['id'],
    search: options.search,
    isSorted: options.isSorted ?? false,
    reduceTo: reduceTo as unknown as List['reduceTo'],
    selectRange: selectRange as unknown as List['selectRange'],
  }
  const whenLong = (countedWhenLong ?? filtered) as unknown as ListQuery<object>
  const count = await countList(list.db, createCounts(list, whenLong, options.selectCount))
  const rowsLeft = Math.min(pageSize, count.totalRow - (pageNumber - 1) * pageSize)
  if (after === undefined && rowsLeft <= 0) return { rows: [], ...count, next: undefined }

  const range = after ? { descending, limit: pageSize, offset: 0, after } : getRowRange(page, count.totalRow)
  const rangeRows = await readRows(list, range).catch(after ? refuseCursor : undefined)
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
function createCounts(
  { query, order, search, isSorted }: List,
  whenLong: ListQuery<object>,
  selectCount: FindPageOptions<unknown>['selectCount'],
): CountQueries {
  if (search === undefined && selectCount) return { few: selectCount(MANY_ROWS), all: selectCount(null) }
  const selectRows = (counted: ListQuery<object>) => {
    const one = counted.clearSelect().select(sql<number>`1`.as('one'))
    const inRange = whereInRange(one, order, true, undefined)
    const rows = search === undefined ? inRange : inRange.where(search.matches)
    // In an order, PostgreSQL counts the rows of the range only. Without a range, any index may have the rows.
    return order.index.columns === undefined ? rows : inCountOrder(rows, order)
  }
  const count = (rows: ListQuery<object>) => sql<number>`select count(*)::int from (${rows}) as rows`
  const isFound = search !== undefined && !isSorted && isIndexedSearch(search)
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
