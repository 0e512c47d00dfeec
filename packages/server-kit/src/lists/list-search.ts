import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { inIndexOrder, type ListOrder, whereInRange, whereSameRow } from './index-range.ts'
import { MANY_ROWS, MAX_EXACT_COUNT } from './list-counts.ts'
import type { ListQuery, SelectedRange } from './list-query.ts'

/** A condition of a list, such as a keyword, whose matches no index has in the order of the list. */
export interface ListSearch {
  /** Whether a row matches. */
  readonly matches: RawBuilder<boolean>
  /**
   * Returns a query of the ids of the rows that match within the project, at most `limit`. It may contain other
   * ids and repeat them. Undefined if no index finds them; the list is then read in its order.
   */
  readonly selectIds: ((limit: number) => RawBuilder<unknown>) | undefined
}

/** A search whose results an index finds. */
export interface IndexedSearch extends ListSearch {
  readonly selectIds: (limit: number) => RawBuilder<unknown>
}

export const isIndexedSearch = (search: ListSearch): search is IndexedSearch => search.selectIds !== undefined

/**
 * Combines conditions of a list. The last search that an index finds selects the ids. Returns undefined for
 * no search.
 */
export function combineSearches(searches: readonly ListSearch[]): ListSearch | undefined {
  if (searches.length === 0) return undefined
  return {
    matches: sql<boolean>`${sql.join(
      searches.map(({ matches }) => matches),
      sql` and `,
    )}`,
    selectIds: searches.findLast(isIndexedSearch)?.selectIds,
  }
}

/** The ids that an index finds, and whether they are all of them. */
const selectHits = ({ selectIds }: IndexedSearch) => sql`
  hits as materialized (select id from (${selectIds(MANY_ROWS)}) as hits limit ${sql.lit(MANY_ROWS)}),
  found_all as (select count(*) <= ${sql.lit(MAX_EXACT_COUNT)} as found_all from hits)`
const FOUND_ALL = sql<boolean>`(select found_all from found_all)`

/**
 * Selects the number of the results of a search, or `MANY_ROWS`: by their ids, or in the order of the list if
 * there are too many ids.
 *
 * @param query The list without the search.
 */
export function selectSearchCount(
  query: ListQuery<object>,
  order: ListOrder,
  search: IndexedSearch,
): RawBuilder<number> {
  const listed = whereInRange(query.clearSelect(), order, true, undefined)
  const matching = listed.select(sql<number>`1`.as('one')).where(search.matches)
  const found = whereSameRow(matching, order.table, 'hit')
  const scanned = inIndexOrder(matching, order, true).limit(MANY_ROWS)
  return sql<number>`
    with ${selectHits(search)}
    select case
      when ${FOUND_ALL} then (
        select count(*)::int from (select distinct id from hits) as hit cross join lateral (${found}) as found)
      else (select count(*)::int from (${scanned}) as scanned) end`
}

/**
 * Reads the rows of a range of a search. Up to 10,000 ids are found by their index and sorted. If there are
 * more, the list is read in its order.
 *
 * @param query The list without the search.
 */
export async function readFoundRange<Row>(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  search: IndexedSearch,
  { descending, limit, offset, after }: SelectedRange,
): Promise<Row[]> {
  const { table, column } = order
  const keys = [sql.ref(`${table}.id`).as('id'), sql.ref(`${table}.${column}`).as('value')]
  const listed = whereInRange(query.clearSelect().select(keys), order, descending, after).where(
    search.matches,
  )
  const found = whereSameRow(listed, table, 'hit')
  const row = whereSameRow(query.clearWhere(), table, 'place')
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const inOrder = inIndexOrder(listed, order, descending).limit(offset + limit)
  const { rows } = await sql<Row>`${sql.raw(PLANNED_EACH_TIME)}
    with ${selectHits(search)}, places as (
      select found.id, found.value from (select distinct id from hits where ${FOUND_ALL}) as hit
      cross join lateral (${found}) as found
      union all
      select id, value from (${inOrder}) as listed where not ${FOUND_ALL}
    )
    select page_row.*, place.value::text as cursor_value from (
      select id, value from places order by value ${direction}, id ${direction} limit ${limit} offset ${offset}) as place
    cross join lateral (${row}) as page_row
    order by place.value ${direction}, place.id ${direction}`.execute(db)
  return rows
}
