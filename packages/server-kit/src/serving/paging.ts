import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { Kysely, RawBuilder, SelectQueryBuilder } from 'kysely'
import { isDatabaseError } from '../postgres/index.ts'
import { createFieldError } from './http-error.ts'
import type { Cursor, FirstRows, IndexRange, ListOrder } from './index-range.ts'
import { countList } from './list-counts.ts'
import type { ListQuery } from './list-query.ts'
import type { ListSearch } from './list-search.ts'
import type { UnlistedRow } from './list-segments.ts'
import type { SelectNextChange } from './list-state.ts'
import { type List, type RowRange, readRows, type SelectedRange } from './page-rows.ts'

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
export interface PageRows<Row> {
  rows: readonly Row[]
  /** The number of rows of the whole list. */
  totalRow: number
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
   * The columns of the filters of a list that can be counted in segments, with their values. The query has no
   * conditions but these, the range of `index` and those of all lists of the table. Default: the list has no
   * segments.
   */
  readonly segments?: { readonly [column: string]: unknown } | undefined
  /**
   * Another order in which one index range contains exactly the rows that match `search`. The list is counted
   * by that range, and `segments` are those of that order.
   */
  readonly countedIn?: Pick<ListOrder, 'column' | 'index'> | undefined
  /**
   * Selects rows that segments count but the list does not contain at present, such as those that have
   * expired.
   */
  readonly selectUnlisted?: ((limit: number) => RawBuilder<UnlistedRow>) | undefined
  /**
   * Selects when rows enter or leave a list that depends on the time. Default: its counts are cached for a
   * second, and pages in its middle are read from an end.
   */
  readonly selectNextChange?: SelectNextChange | undefined
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
  const db = database as unknown as Kysely<never>
  const query = filtered as unknown as ListQuery<object>
  const { rowKey = ['id'], index = {}, reduceTo, selectRange, isSorted = false, selectNextChange } = options
  // A list that is sorted is read whole in any case.
  const search = isSorted && options.search ? { ...options.search, selectIds: undefined } : options.search
  const { pageNumber, pageSize, column, descending, after } = page
  const order = { table, column, index }
  const { countedIn } = options
  const { total: totalRow, segments } = await countList(
    db,
    query,
    countedIn === undefined ? order : { table, ...countedIn },
    countedIn === undefined ? search : undefined,
    {
      segments: { columns: options.segments, selectUnlisted: options.selectUnlisted },
      selectRowCount: options.selectCount,
      selectNextChange,
    },
  )
  const rowsLeft = Math.min(pageSize, totalRow - (pageNumber - 1) * pageSize)
  if (after === undefined && rowsLeft <= 0) return { rows: [], totalRow, next: undefined }

  const range = after === undefined ? getRowRange(page, totalRow) : { descending, limit: pageSize, offset: 0 }
  const ofPages = countedIn === undefined ? segments : undefined
  const hasPlaces = rowKey.length > 0
  const list: List = {
    db,
    query,
    order,
    rowKey,
    search,
    isSorted,
    hasPlaces,
    selectNextChange,
    totalRow,
    reduceTo: reduceTo as unknown as List['reduceTo'],
    selectRange: selectRange as unknown as List['selectRange'],
  }
  const rangeRows =
    after === undefined
      ? await readRows(list, range, after, ofPages)
      : await readRows(list, range, after, ofPages).catch(refuseCursor)
  // An offset from the end depends on the total, which may be cached. The pages are those of the cached
  // total, which the response contains.
  const rows = range.descending === descending ? rangeRows : rangeRows.reverse()
  const last = rows.at(-1)
  const next =
    last && rows.length === pageSize
      ? encodeCursor(column, descending ? 'desc' : 'asc', last.cursor_value, last.id)
      : undefined
  return { rows: rows as unknown as Row[], totalRow, next }
}

/** Returns the range of a page's rows, from the nearer end of the list. */
function getRowRange({ pageNumber, pageSize, descending }: PageQuery, totalRow: number): RowRange {
  const offset = (pageNumber - 1) * pageSize
  if (offset <= totalRow / 2) return { descending, limit: pageSize, offset }
  const limit = Math.min(pageSize, totalRow - offset)
  return { descending: !descending, limit, offset: totalRow - offset - limit }
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
      ...(page.next !== undefined && query.pageNumber < totalPage && { next: page.next }),
    },
    totalPage,
    totalRow: page.totalRow,
  }
}
