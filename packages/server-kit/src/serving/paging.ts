import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isDatabaseError } from '../postgres/index.ts'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { createFieldError } from './http-error.ts'
import { countList, type ListQuery } from './list-counts.ts'

/** The fields that a list can be ordered by, with their columns. The default order is the first one, descending. */
export type SortColumns = { readonly [name: string]: string }

/** A page query with its defaults applied. */
export interface PageQuery {
  pageNumber: number
  pageSize: number
  orderBy: string
  column: string
  descending: boolean
  /** The last row of the previous page: the value of its order column as PostgreSQL formats it, and its id. */
  after: readonly [value: string, id: number] | undefined
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

/** Reads a page query and applies its defaults. Refuses an unknown order and an invalid cursor. */
export function readPageQuery<Input extends PageInput>(
  input: Input,
  orders: SortColumns,
  invalid: (field: string, message: string) => never,
): PageQuery {
  const { pageNumber = 1, pageSize = DEFAULT_PAGE_SIZE, orderBy = '', cursor, ...paras } = input
  const names = Object.keys(orders)
  const [name = '', direction = orderBy === '' ? 'desc' : 'asc', ...rest] =
    orderBy === '' ? [names[0]] : orderBy.split(' ')
  const column = Object.hasOwn(orders, name) ? orders[name] : undefined
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
  return isValid ? [value, id] : undefined
}

/** Refuses a cursor whose value does not have the type of its column: the caller invented or changed it. */
function refuseCursor(error: unknown): never {
  if (isDatabaseError(error, ...VALUE_ERRORS)) throw createFieldError('cursor', INVALID_CURSOR)
  throw error
}

/** SQLSTATEs of texts that cannot be converted: invalid number, invalid date, date or number out of range, U+0000. */
const VALUE_ERRORS = ['22P02', '22007', '22008', '22003', '22021']
const INVALID_CURSOR = 'Expected the paras.next of a page in this order'

/** The first rows of a list in one direction, after the cursor's row if there is a cursor. */
export interface FirstRows {
  readonly count: number
  readonly column: string
  readonly descending: boolean
  readonly after: PageQuery['after']
}

/** Orders the rows of `table`, begins after the cursor's row and limits them to the first ones. Follows a condition. */
export function limitToFirst(
  table: string,
  { count, column, descending, after }: FirstRows,
): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const value = sql.ref(`${table}.${column}`)
  const id = sql.ref(`${table}.id`)
  return sql`and ${isAfter(value, id, descending, after)}
    order by ${value} ${direction}, ${id} ${direction} limit ${count}`
}

export interface FindPageOptions<Query> {
  /**
   * The columns that identify a row of `table`, `id` by default. Empty for a derived table, because reading one
   * of its rows by key costs as much as reading all of them.
   */
  readonly rowKey?: readonly string[]
  /**
   * Returns the filtered query reduced to a superset of its first rows, for a filter that otherwise reads all rows of the list before
   * they are ordered. Not used for counting, nor for a list that is sorted.
   */
  readonly reduceTo?: (first: FirstRows) => Query
  /**
   * Whether an index has the rows of this filter in this order. Default: true. Otherwise a short list is sorted. A long one is read in its order
   * until the page is full.
   */
  readonly isIndexed?: boolean
}

/** Lists up to this length are sorted when no index has their order. */
const MAX_SORTED_ROWS = 1000

/**
 * Finds one page of a filtered query. Rows with equal values are ordered by id. A cursor continues after its row. A page number selects the
 * keys of its rows first, from the nearer end of the list, and then reads each row by its key.
 *
 * @param filtered `selectFrom(table).selectAll().where(…)`, without order or limit. Its conditions include the project, so that
 * a cached count belongs to one project.
 */
export async function findPage<DB, TB extends keyof DB & string, Row>(
  database: Kysely<DB>,
  table: TB,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  page: PageQuery,
  { rowKey = ['id'], reduceTo, isIndexed = true }: FindPageOptions<SelectQueryBuilder<DB, TB, Row>> = {},
): Promise<PageRows<Row>> {
  const db = database as unknown as Kysely<never>
  const query = filtered as unknown as ListQuery<object>
  const { pageNumber, pageSize, column, descending, after } = page
  const totalRow = await countList(db, query)
  const offset = (pageNumber - 1) * pageSize
  const rowsLeft = Math.min(pageSize, totalRow - offset)
  if (after === undefined && rowsLeft <= 0) return { rows: [], totalRow, next: undefined }

  const range = after === undefined ? getRowRange(page, totalRow) : { descending, limit: pageSize, offset: 0 }
  const count = range.offset + range.limit
  const isSorted = !isIndexed && totalRow <= MAX_SORTED_ROWS
  const reduced = isSorted ? undefined : reduceTo?.({ count, column, descending: range.descending, after })
  const rowsToRead = (reduced as unknown as ListQuery<object> | undefined) ?? query
  const list: List = { db, query: rowsToRead, table, column, rowKey }
  const rangeRows = await (isSorted ? sortRange : readRange)(list, range, after).catch(refuseCursor)
  // An offset from the end depends on the total, which may be cached. The pages are those of the cached total, which the response contains.
  const rows = range.descending === descending ? rangeRows : rangeRows.reverse()
  const last = rows.at(-1)
  const next =
    last && rows.length === pageSize
      ? encodeCursor(column, descending ? 'desc' : 'asc', last.cursor_value, last.id)
      : undefined
  return { rows: rows as unknown as Row[], totalRow, next }
}

/** A filtered query with the order and the key of its rows. */
interface List {
  readonly db: Kysely<never>
  readonly query: ListQuery<object>
  readonly table: string
  readonly column: string
  readonly rowKey: readonly string[]
}

/** Adjacent rows of a list, read in one direction. */
interface RowRange {
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

interface PageRow {
  readonly id: number
  readonly cursor_value: string
}

/** Returns the range of a page's rows, from the nearer end of the list. */
function getRowRange({ pageNumber, pageSize, descending }: PageQuery, totalRow: number): RowRange {
  const offset = (pageNumber - 1) * pageSize
  if (offset <= totalRow / 2) return { descending, limit: pageSize, offset }
  const limit = Math.min(pageSize, totalRow - offset)
  return { descending: !descending, limit, offset: totalRow - offset - limit }
}

/** Compares rows with a cursor's row, in the order of a range. */
function isAfter(
  value: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  descending: boolean,
  after: PageQuery['after'],
) {
  if (after === undefined) return sql<boolean>`true`
  return sql<boolean>`(${value}, ${id}) ${descending ? sql`<` : sql`>`} (${after[0]}, ${after[1]})`
}

/** Reads all rows of a short list, whatever index finds them, and sorts them. */
async function sortRange(
  { db, query, column }: List,
  { descending, limit, offset }: RowRange,
  after: PageQuery['after'],
): Promise<PageRow[]> {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const value = sql.ref(`page_row.${column}`)
  const id = sql.ref('page_row.id')
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, ${value}::text as cursor_value from (${query} offset 0) as page_row
    where ${isAfter(value, id, descending, after)}
    order by ${value} ${direction}, ${id} ${direction} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

async function readRange(list: List, range: RowRange, after: PageQuery['after']): Promise<PageRow[]> {
  const { db, query, table, column, rowKey } = list
  const { descending, limit, offset } = range
  const direction = descending ? 'desc' : 'asc'
  const value = sql.ref(`${table}.${column}`)
  const id = sql.ref(`${table}.id`)
  const inOrder = (rows: ListQuery<object>) =>
    rows.orderBy(value, direction).orderBy(id, direction).limit(limit).offset(offset)
  const cursorValue = sql<string>`${value}::text`.as('cursor_value')
  if (offset === 0 || rowKey.length === 0) {
    const remaining = after === undefined ? query : query.where(isAfter(value, id, descending, after))
    const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
      ${inOrder(remaining).select(cursorValue)}`.execute(db)
    return rows
  }
  return await readByKey(list, inOrder(query.clearSelect().select(cursorValue)), direction)
}

/**
 * Reads rows by their keys. The limit of the derived table and the `offset 0` of the lateral one force the plan: select the keys once, then look up
 * each row. With `id in (select … limit …)` the planner may select the keys again for every row of the list. It does so for a table without
 * statistics, because it then estimates one row for any filter.
 */
async function readByKey(
  { db, query, table, column, rowKey }: List,
  keys: ListQuery<object>,
  direction: 'asc' | 'desc',
): Promise<PageRow[]> {
  const columns = [...new Set([column, 'id', ...rowKey])]
  const keyRows = keys.select(columns.map((name) => sql.ref(`${table}.${name}`).as(name)))
  const sameRow = rowKey.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`place.${name}`)}`)
  const row = query.clearWhere().where(sql<boolean>`${sql.join(sameRow, sql` and `)}`)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, place.cursor_value from (${keyRows}) as place
    cross join lateral (${row} offset 0) as page_row
    order by ${sql.ref(`place.${column}`)} ${sql.raw(direction)}, place.id ${sql.raw(direction)}`.execute(db)
  return rows
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
