import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { isDatabaseError } from '../postgres/index.ts'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { countList, type ListQuery } from './list-counts.ts'
import { invalidField } from './http-error.ts'

/** What a list can be ordered by: the name callers use, and its column. The first is the order unasked, falling. */
export type Orders = { readonly [name: string]: string }

/** A page query with its defaults applied. */
export interface PageQuery {
  pageNumber: number
  pageSize: number
  orderBy: string
  column: string
  descending: boolean
  /** The last row of the page before: the order's value as PostgreSQL writes it, and the id. */
  after: readonly [value: string, id: number] | undefined
  /** What the caller asked, to be echoed. */
  paras: { [name: string]: unknown }
}

export interface FoundPage<Row> {
  rows: readonly Row[]
  totalRow: number
  next: string | undefined
}

interface PageInput {
  pageNumber?: number | undefined
  pageSize?: number | undefined
  orderBy?: string | undefined
  cursor?: string | undefined
}

/** Reads a page query; what it cannot order by, and a cursor that is none, are refused with the field named. */
export function readPageQuery<Input extends PageInput>(
  input: Input,
  orders: Orders,
  invalid: (field: string, message: string) => never,
): PageQuery {
  const { pageNumber = 1, pageSize = DEFAULT_PAGE_SIZE, orderBy = '', cursor, ...paras } = input
  const names = Object.keys(orders)
  const [name = '', direction = orderBy === '' ? 'desc' : 'asc', ...rest] =
    orderBy === '' ? [names[0]] : orderBy.split(' ')
  const column = Object.hasOwn(orders, name) ? orders[name] : undefined
  if (column === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
    return invalid('orderBy', `Expected one of ${names.join(', ')}, with ' desc' after it for falling order`)
  }
  if (pageNumber > 1_000_000) return invalid('pageNumber', 'Expected an integer from 1 to 1000000')
  const after = cursor === undefined ? undefined : decodeCursor(cursor, column, direction)
  if (cursor !== undefined && after === undefined) return invalid('cursor', NO_CURSOR)
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
  const fits = order === `${column} ${direction}` && typeof value === 'string' && Number.isSafeInteger(id)
  return fits ? [value, id] : undefined
}

// A cursor that somebody wrote by hand can hold a value that its column's type does not know.
function refuseCursor(error: unknown): never {
  if (isDatabaseError(error, ...VALUE_ERRORS)) throw invalidField('cursor', NO_CURSOR)
  throw error
}
/** Texts that are no value of the type: number, date, too large, U+0000. */
const VALUE_ERRORS = ['22P02', '22007', '22008', '22003', '22021']
const NO_CURSOR = 'Expected the paras.next of a page in this order'

/** The first rows of a list in one direction. Rows up to the cursor's do not count. */
export interface FirstRows {
  readonly count: number
  readonly column: string
  readonly descending: boolean
  readonly after: PageQuery['after']
}

export interface FindPageOptions<Query> {
  /**
   * The columns that identify a row of `table`, `id` by default. Empty for a derived table, whose rows cost as much to read one by one
   * as all together.
   */
  readonly rowKey?: readonly string[]
  /**
   * Returns the filtered query reduced to a superset of its first rows, for a filter that otherwise finds all rows of the list before they can
   * be ordered. Not used for counting.
   */
  readonly reduceTo?: (first: FirstRows) => Query
}

/**
 * Finds one page of a filtered query. The order is total: ties are broken by id. A cursor continues after its row. A jump to a page
 * finds the places of its rows first, from whichever end is nearer, and then reads each row by its key.
 *
 * @param filtered `selectFrom(table).selectAll().where(…)`, without order or limit; its project is among the conditions, so that
 * a kept count belongs to one project.
 */
export async function findPage<DB, TB extends keyof DB & string, Row>(
  database: Kysely<DB>,
  table: TB,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  page: PageQuery,
  { rowKey = ['id'], reduceTo }: FindPageOptions<SelectQueryBuilder<DB, TB, Row>> = {},
): Promise<FoundPage<Row>> {
  const db = database as unknown as Kysely<never>
  const query = filtered as unknown as ListQuery<object>
  const { pageNumber, pageSize, column, descending, after } = page
  const totalRow = await countList(db, query)
  const offset = (pageNumber - 1) * pageSize
  const rowsLeft = Math.min(pageSize, totalRow - offset)
  if (after === undefined && rowsLeft <= 0) return { rows: [], totalRow, next: undefined }

  const stretch = after === undefined ? stretchOf(page, totalRow) : { descending, limit: pageSize, offset: 0 }
  const count = stretch.offset + stretch.limit
  const reduced = reduceTo?.({ count, column, descending: stretch.descending, after })
  const rowsToRead = (reduced as unknown as ListQuery<object> | undefined) ?? query
  const list: List = { db, query: rowsToRead, table, column, rowKey }
  const found = await readStretch(list, stretch, after).catch(refuseCursor)
  // Counted from the end by a total that is a moment old, the pages are those of that moment: they fit the total of the answer.
  const rows = stretch.descending === descending ? found : found.reverse()
  const last = rows.at(-1)
  const next =
    last && rows.length === pageSize
      ? encodeCursor(column, descending ? 'desc' : 'asc', last.cursor_value, last.id)
      : undefined
  return { rows: rows as unknown as Row[], totalRow, next }
}

/** A filtered query, and how its rows are ordered and identified. */
interface List {
  readonly db: Kysely<never>
  readonly query: ListQuery<object>
  readonly table: string
  readonly column: string
  readonly rowKey: readonly string[]
}

/** Neighboring rows of a list, read in one direction. */
interface Stretch {
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

interface PageRow {
  readonly id: number
  readonly cursor_value: string
}

/** Where a page's rows are, from the end of the list that is nearer. */
function stretchOf({ pageNumber, pageSize, descending }: PageQuery, totalRow: number): Stretch {
  const offset = (pageNumber - 1) * pageSize
  if (offset <= totalRow / 2) return { descending, limit: pageSize, offset }
  const limit = Math.min(pageSize, totalRow - offset)
  return { descending: !descending, limit, offset: totalRow - offset - limit }
}

async function readStretch(list: List, stretch: Stretch, after: PageQuery['after']): Promise<PageRow[]> {
  const { db, query, table, column, rowKey } = list
  const { descending, limit, offset } = stretch
  const direction = descending ? 'desc' : 'asc'
  const value = sql.ref(`${table}.${column}`)
  const id = sql.ref(`${table}.id`)
  const inOrder = (rows: ListQuery<object>) =>
    rows.orderBy(value, direction).orderBy(id, direction).limit(limit).offset(offset)
  const cursorValue = sql<string>`${value}::text`.as('cursor_value')
  if (offset === 0 || rowKey.length === 0) {
    const past = descending ? sql`<` : sql`>`
    const rest =
      after === undefined
        ? query
        : query.where(sql<boolean>`(${value}, ${id}) ${past} (${after[0]}, ${after[1]})`)
    const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
      ${inOrder(rest).select(cursorValue)}`.execute(db)
    return rows
  }
  return await readByKey(list, inOrder(query.clearSelect().select(cursorValue)), direction)
}

/**
 * Reads rows by their keys. A derived table with a limit, and a lateral one with `offset 0`, leave the planner one way only: it finds
 * the places once, and then looks up each row by its key. As `id in (select … limit …)` it may find the places again for every row of the list,
 * and does while a table has no statistics: it then expects one row whatever the filter.
 */
async function readByKey(
  { db, query, table, column, rowKey }: List,
  places: ListQuery<object>,
  direction: 'asc' | 'desc',
): Promise<PageRow[]> {
  const columns = [...new Set([column, 'id', ...rowKey])]
  const keyed = places.select(columns.map((name) => sql.ref(`${table}.${name}`).as(name)))
  const sameRow = rowKey.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`place.${name}`)}`)
  const row = query.clearWhere().where(sql<boolean>`${sql.join(sameRow, sql` and `)}`)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, place.cursor_value from (${keyed}) as place
    cross join lateral (${row} offset 0) as page_row
    order by ${sql.ref(`place.${column}`)} ${sql.raw(direction)}, place.id ${sql.raw(direction)}`.execute(db)
  return rows
}

/** The page object (specification, "Page object"). */
export function pageOf<Row, Item>(
  query: PageQuery,
  found: FoundPage<Row>,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const totalPage = Math.ceil(found.totalRow / query.pageSize)
  return {
    firstPage: query.pageNumber === 1,
    lastPage: query.pageNumber >= totalPage,
    list: found.rows.map(itemOf),
    orderBy: query.orderBy,
    pageNumber: query.pageNumber,
    pageSize: query.pageSize,
    paras: {
      ...query.paras,
      ...(found.next !== undefined && query.pageNumber < totalPage && { next: found.next }),
    },
    totalPage,
    totalRow: found.totalRow,
  }
}
