import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { isDatabaseError } from '../postgres/index.ts'
import { invalidField } from './refusal.ts'

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

/** Counts are exact up to here; above, a count may be ten seconds old. */
const EXACT_TO = 10_000
const COUNT_KEPT_MS = 10_000
/** A count that is asked for past this age is made anew on the side, so that who pages on does not wait for it. */
const COUNT_RENEWED_MS = 5_000

interface KeptCount {
  total: number
  at: number
  renewing: boolean
}
const counts = new Map<string, KeptCount>()

// Kysely's types cannot follow a query whose tables are unknown; a list needs of it only that it has an `id`.
type ListQuery<Row> = SelectQueryBuilder<Record<string, { id: number }>, string, Row>

async function countOf(db: Kysely<never>, query: ListQuery<object>, now: number): Promise<number> {
  const some = query.clearSelect().select(sql<number>`1`.as('one'))
  const compiled = some.compile()
  const key = JSON.stringify([compiled.sql, compiled.parameters])
  const kept = counts.get(key)
  if (kept && now - kept.at < COUNT_KEPT_MS) {
    if (now - kept.at > COUNT_RENEWED_MS && !kept.renewing && !db.isTransaction) {
      kept.renewing = true
      // Where it fails, the next one who asks past the count's time hears of it.
      void countAll(db, some, key).catch(() => counts.delete(key))
    }
    return kept.total
  }
  const total = await countRows(db, some.limit(EXACT_TO + 1))
  return total <= EXACT_TO ? total : await countAll(db, some, key)
}

async function countAll(db: Kysely<never>, rows: ListQuery<object>, key: string): Promise<number> {
  const at = Date.now()
  const total = await countRows(db, rows)
  if (counts.size > 1000) counts.clear()
  // One that has become small is counted exactly from now on.
  if (total > EXACT_TO) counts.set(key, { total, at, renewing: false })
  else counts.delete(key)
  return total
}

async function countRows(db: Kysely<never>, rows: ListQuery<object>): Promise<number> {
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (${rows}) as rows`.execute(db)
  return counted.rows[0]?.total ?? 0
}

/**
 * One page of a filtered query. The order is total: ties are broken by id. A cursor goes on from its row; a jump to a page finds the ids
 * alone first, from whichever end is nearer, and then the rows.
 *
 * @param filtered `selectFrom(table).selectAll().where(…)`, without order or limit; its project is among the conditions, so that
 * a kept count belongs to one project.
 */
export async function findPage<DB, TB extends keyof DB & string, Row>(
  database: Kysely<DB>,
  table: TB,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  page: PageQuery,
): Promise<FoundPage<Row>> {
  const db = database as unknown as Kysely<never>
  const query = filtered as unknown as ListQuery<object>
  const { pageNumber, pageSize, column, descending, after } = page
  const totalRow = await countOf(db, query, Date.now())
  const value = sql.ref(`${table}.${column}`)
  const id = sql.ref(`${table}.id`)
  const offset = (pageNumber - 1) * pageSize
  const wanted = Math.min(pageSize, totalRow - offset)
  if (after === undefined && wanted <= 0) return { rows: [], totalRow, next: undefined }

  const key = sql<string>`${value}::text`.as('cursor_value')
  const ordered = <Q extends ListQuery<object>>(list: Q, falling: boolean) => {
    const direction = falling ? 'desc' : 'asc'
    return list.orderBy(value, direction).orderBy(id, direction)
  }
  let list = query
  if (after !== undefined) {
    const past = descending ? sql`<` : sql`>`
    list = ordered(
      query.where(sql<boolean>`(${value}, ${id}) ${past} (${after[0]}, ${after[1]})`),
      descending,
    ).limit(pageSize)
  } else if (offset === 0) {
    list = ordered(query, descending).limit(pageSize)
  } else {
    // Counted from the end by a total that is a moment old, the pages are those of that moment: they fit the total that is answered.
    const fromEnd = offset > totalRow / 2
    const ids = ordered(
      query.clearSelect().select(id.$castTo<number>().as('id')) as ListQuery<object>,
      fromEnd ? !descending : descending,
    )
      .limit(fromEnd ? wanted : pageSize)
      .offset(fromEnd ? totalRow - offset - wanted : offset)
    list = ordered(query.where(sql<boolean>`${id} in (${ids})`), descending)
  }
  const rows = (await list.select(key).execute().catch(refuseCursor)) as {
    id: number
    cursor_value: string
  }[]
  const last = rows.at(-1)
  const next =
    last && rows.length === pageSize
      ? encodeCursor(column, descending ? 'desc' : 'asc', last.cursor_value, last.id)
      : undefined
  return { rows: rows as unknown as Row[], totalRow, next }
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
