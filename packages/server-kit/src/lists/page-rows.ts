import { type Kysely, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { inIndexOrder, type ListOrder, whereInRange, whereSameRow } from './index-range.ts'
import type { ListQuery, SelectedRange } from './list-query.ts'
import { isIndexedSearch, type ListSearch, readFoundRange } from './list-search.ts'

/** A filtered query with the order of its rows. */
export interface List {
  readonly db: Kysely<never>
  readonly query: ListQuery<object>
  readonly order: ListOrder
  readonly search: ListSearch | undefined
  /** Whether the keys of a range are selected first, and its rows are read by them. */
  readonly readsByKey: boolean
}

export interface PageRow {
  readonly id: number
  readonly cursor_value: string
}

/** Reads the rows of a range of a list, or those of it that follow a cursor. */
export async function readRows(list: List, range: SelectedRange): Promise<PageRow[]> {
  const { db, query, order, search } = list
  if (search === undefined) return await readRange(list, range)
  if (isIndexedSearch(search)) return await readFoundRange(db, query, order, search, range)
  return await readRange({ ...list, query: query.where(search.matches) }, range)
}

/** Reads the rows of a range in the order of its index. */
async function readRange(list: List, range: SelectedRange): Promise<PageRow[]> {
  const { db, query, order, readsByKey } = list
  const { descending, limit, offset, after } = range
  const cursorValue = sql<string>`${sql.ref(`${order.table}.${order.column}`)}::text`.as('cursor_value')
  const selected = inIndexOrder(whereInRange(query, order, descending, after), order, descending)
    .limit(limit)
    .offset(offset)
  if (readsByKey) return await readByKey(list, selected.clearSelect().select(cursorValue), descending)
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    ${selected.select(cursorValue)}`.execute(db)
  return rows
}

/**
 * Reads rows by their keys: an index may have all of a key, and keys are sorted faster than rows. The derived
 * table selects the keys once, and the lateral one looks up each row.
 */
async function readByKey(
  { db, query, order: { table, column } }: List,
  keys: ListQuery<object>,
  descending: boolean,
): Promise<PageRow[]> {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const columns = [...new Set([column, 'id'])]
  const keyRows = keys.select(columns.map((name) => sql.ref(`${table}.${name}`).as(name)))
  const row = whereSameRow(query.clearWhere(), table, 'place')
  const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
    select page_row.*, place.cursor_value from (${keyRows}) as place
    cross join lateral (${row}) as page_row
    order by ${sql.ref(`place.${column}`)} ${direction}, place.id ${direction}`.execute(db)
  return rows
}
