import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { type FirstRows, inIndexOrder, type ListOrder, whereInRange, whereSameRow } from './index-range.ts'
import type { Cursor, ListQuery, SelectedRange } from './list-query.ts'
import { isIndexedSearch, type ListSearch, readFoundRange } from './list-search.ts'

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

/** Reads the rows of a range of a list, or those of it that follow a cursor. */
export async function readRows(list: List, range: SelectedRange): Promise<PageRow[]> {
  const { db, query, order, search, isSorted } = list
  if (search === undefined) return isSorted ? await sortRange(list, range) : await readRange(list, range)
  if (!isSorted && isIndexedSearch(search)) return await readFoundRange(db, query, order, search, range)
  const matching = {
    ...list,
    query: query.where(search.matches),
    reduceTo: undefined,
    selectRange: undefined,
  }
  return isSorted ? await sortRange(matching, range) : await readRange(matching, range)
}

/** Returns the query of a list, reduced to the first rows of a range if it can be. */
function reduce({ query, order, reduceTo }: List, { descending, limit, offset, after }: SelectedRange) {
  return reduceTo?.({ count: offset + limit, column: order.column, descending, after }) ?? query
}

/** Reads all rows of a list, whatever index finds them, and sorts them. */
async function sortRange(list: List, range: SelectedRange): Promise<PageRow[]> {
  const { db, order } = list
  const { descending, limit, offset, after } = range
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const value = sql.ref(`page_row.${order.column}`)
  const id = sql.ref('page_row.id')
  const listed = whereInRange(reduce(list, range), order, descending, undefined)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, ${value}::text as cursor_value from (${listed} offset 0) as page_row
    where ${isAfter(value, id, descending, after)}
    order by ${value} ${direction}, ${id} ${direction} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Reads the rows of a range in the order of its index. */
async function readRange(list: List, range: SelectedRange): Promise<PageRow[]> {
  const { db, order, rowKey, selectRange } = list
  const { descending, limit, offset, after } = range
  const selected = selectRange
    ? inIndexOrder(selectRange(range), order, descending)
    : inIndexOrder(whereInRange(reduce(list, range), order, descending, after), order, descending)
        .limit(limit)
        .offset(offset)
  const cursorValue = sql<string>`${sql.ref(`${order.table}.${order.column}`)}::text`.as('cursor_value')
  if (selectRange === undefined && offset > 0 && rowKey.length > 0)
    return await readByKey(list, selected.clearSelect().select(cursorValue), descending)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    ${selected.select(cursorValue)}`.execute(db)
  return rows
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
