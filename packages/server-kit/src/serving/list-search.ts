import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { type Cursor, inIndexOrder, type ListOrder, whereInRange, whereSameRow } from './index-range.ts'
import type { ListQuery } from './list-query.ts'

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

/** Most pages of searches with more results than this are read in the order of their list. */
export const MAX_FOUND_ROWS = 10_000
/**
 * A search is counted by its ids if there are at most this many. First pages of a search with at most this many
 * results are found by ids if the first rows do not fill them.
 */
export const MAX_COUNTED_IDS = 100_000
/** How many rows are read in the order of the list before all results are found by their ids. */
const SCANNED_ROWS = { few: 200, many: 2000, most: 20_000 }
export const FEW_RESULTS = 1000
/** The results of the first pages, for which more rows are read if that is cheaper than all ids. */
export const FIRST_RESULTS = 100

/** A search is counted in the order of the list if at least half of the first rows match. */
const PROBED_ROWS = 200
/** How many rows such a count reads. More rows are counted by their ids. */
const COUNTED_ROWS = 2 * MAX_FOUND_ROWS

/** Represents a count of more than `MAX_FOUND_ROWS` rows. */
export const MANY_RESULTS = MAX_FOUND_ROWS + 1

/**
 * Selects the number of the results of a search, or `MANY_RESULTS`. Frequent results are counted in the order
 * of the list, others by their ids. If there are too many ids, the results are counted in the order of the
 * list.
 *
 * @param query The list without the search.
 */
export function selectSearchCount(
  query: ListQuery<object>,
  order: ListOrder,
  { matches, selectIds }: IndexedSearch,
): RawBuilder<number> {
  const listed = whereInRange(query.clearSelect(), order, true, undefined)
  const first = (count: number) => sql<{ read: number; matching: number }>`
    select count(*)::int as read, (count(*) filter (where matches))::int as matching
    from (${inIndexOrder(listed.select(matches.as('matches')), order, true).limit(count)}) as first`
  const matching = listed.select(sql<number>`1`.as('one')).where(matches)
  const found = whereSameRow(matching, order.table, 'hit')
  const scanned = inIndexOrder(matching, order, true).limit(MANY_RESULTS)
  const [many, maxIds] = [sql.lit(MANY_RESULTS), sql.lit(MAX_COUNTED_IDS)]
  return sql<number>`
    with probe as materialized (${first(PROBED_ROWS)}), counted as materialized (
      select read, matching from (${first(COUNTED_ROWS)} offset 0) as counted
      where (select read < ${sql.lit(PROBED_ROWS)} or 2 * matching >= read from probe)
    ), hits as materialized (select id from (${selectIds(MAX_COUNTED_IDS + 1)}) as hits limit ${MAX_COUNTED_IDS + 1})
    select case
      when (select read < ${sql.lit(COUNTED_ROWS)} from counted) then (select matching from counted)
      when (select matching >= ${many} from counted) then ${many}
      when (select count(*) from hits) <= ${maxIds} then (
        select count(*)::int from (select distinct id from hits) as hit cross join lateral (${found}) as found)
      else (select count(*)::int from (${scanned}) as scanned) end`
}

/** The rows of a page of a search. */
export interface FoundRange {
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
  readonly after: Cursor | undefined
  /** The number of results, at most `MAX_COUNTED_IDS`. */
  readonly totalRow: number
}

/**
 * Returns how many rows are read in the order of the list for `count` results, before all results are found
 * by their ids.
 */
function getScannedRows(count: number, totalRow: number): number {
  if (totalRow > MAX_FOUND_ROWS) return SCANNED_ROWS.most
  if (totalRow <= FEW_RESULTS) return SCANNED_ROWS.few
  // To find a result by its id costs more than to read two rows.
  return count <= FIRST_RESULTS ? Math.max(SCANNED_ROWS.many, 2 * totalRow) : SCANNED_ROWS.many
}

/**
 * Selects a page of a search. Reads a limited number of rows in the order of the list, which suffices for
 * results that are frequent. Otherwise it finds all results by their ids and sorts them. If there are too many
 * ids, it reads the list in its order.
 *
 * @param query The list without the search.
 */
export async function readFoundRange<Row>(
  db: Kysely<never>,
  query: ListQuery<object>,
  order: ListOrder,
  { matches, selectIds }: IndexedSearch,
  { descending, limit, offset, after, totalRow }: FoundRange,
): Promise<Row[]> {
  const { table, column } = order
  const count = Math.min(offset + limit, totalRow)
  const keys = [sql.ref(`${table}.id`).as('id'), sql.ref(`${table}.${column}`).as('value')]
  const listed = whereInRange(query.clearSelect().select(keys), order, descending, after)
  const scanned = inIndexOrder(listed.select(matches.as('matches')), order, descending).limit(
    getScannedRows(count, totalRow),
  )
  const found = whereSameRow(listed.where(matches), table, 'hit')
  const row = whereSameRow(query.clearWhere(), table, 'place')
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const inOrder = inIndexOrder(listed.where(matches), order, descending).limit(count)
  const hasFew = sql`(select count(*) from hits) <= ${sql.lit(MAX_COUNTED_IDS)}`
  const { rows } = await sql<Row>`${sql.raw(PLANNED_EACH_TIME)}
    with scanned as materialized (
      select id, value from (${scanned}) as scanned where matches limit ${count}
    ), hits as materialized (
      select id from (${selectIds(MAX_COUNTED_IDS + 1)}) as hits
      where (select count(*) from scanned) < ${count}::int limit ${MAX_COUNTED_IDS + 1}
    ), places as (
      select id, value from scanned where (select count(*) from scanned) >= ${count}::int
      union all
      select found.id, found.value from (select distinct id from hits where ${hasFew}) as hit cross join lateral (${found}) as found
      union all
      select id, value from (${inOrder}) as listed where not ${hasFew}
    )
    select page_row.*, place.value::text as cursor_value from (
      select id, value from places order by value ${direction}, id ${direction} limit ${limit} offset ${offset}) as place
    cross join lateral (${row}) as page_row
    order by place.value ${direction}, place.id ${direction}`.execute(db)
  return rows
}
