import { type Kysely, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { type BackgroundReads, createBackgroundReads } from './background-reads.ts'
import { type Cursor, type ListOrder, whereInRange, whereSameRow } from './index-range.ts'
import type { ListQuery } from './list-query.ts'
import {
  FEW_RESULTS,
  FIRST_RESULTS,
  type FoundRange,
  type IndexedSearch,
  MAX_COUNTED_IDS,
  MAX_FOUND_ROWS,
} from './list-search.ts'
import {
  createStateCheck,
  type ListState,
  RECORDED_MS,
  type SelectNextChange,
  type StateCheck,
} from './list-state.ts'
import { getTimeToLive } from './timed-value.ts'

/** The maximum number of searches of one project whose ids are cached. Those of one take up to 80 kB. */
const MAX_CACHED_SEARCHES = 10

interface FoundIds {
  /** The ids of all results of a search, in ascending order. Empty if there are too many. */
  readonly ids: readonly number[]
  readonly readAt: number
  /** Milliseconds before they are read again after a change. */
  readonly ttlMs: number
  /** The newest state in which they were right, and its time. */
  state: ListState
  at: number
}

const findCachedSearches = createBackgroundReads<FoundIds>({
  maxValues: MAX_CACHED_SEARCHES,
  failure: 'Could not read the ids of the results of a search',
})

/** A searched list, whose results an index finds. */
export interface SearchedList {
  readonly db: Kysely<never>
  /** The list without the search. */
  readonly query: ListQuery<object>
  readonly order: ListOrder
  readonly search: IndexedSearch
  readonly selectNextChange: SelectNextChange | undefined
}

interface FoundList extends SearchedList {
  /** The list with the search. */
  readonly found: ListQuery<object>
  readonly key: string
  readonly check: StateCheck
}

/**
 * Reads the rows of a range of a search by the cached ids of its results, if the list has not changed since they
 * were read. Otherwise returns undefined, and starts to read the ids for later pages, except for a first page.
 */
export async function readKnownRange<Row>(
  searched: SearchedList,
  range: FoundRange,
): Promise<Row[] | undefined> {
  if (searched.db.isTransaction || range.totalRow > MAX_FOUND_ROWS) return undefined
  const list = describeList(searched)
  if (list === undefined) return undefined
  const searches = findCachedSearches(list.db)
  const known = searches.values.get(list.key)
  const ids = known === undefined ? [] : selectIds(known, range)
  const rows = known && ids.length > 0 ? await readUnchanged<Row>(list, known, ids) : undefined
  if (rows === undefined && !isFirstPage(range)) startReading(list, searches)
  return rows
}

/** The first pages of a long search are usually found without all ids, and many callers read no others. */
const isFirstPage = ({ offset, limit, totalRow }: FoundRange): boolean =>
  offset + limit <= FIRST_RESULTS && totalRow > FEW_RESULTS

/** Returns undefined for a list that can change unnoticed. */
function describeList(searched: SearchedList): FoundList | undefined {
  const { db, query, order, search, selectNextChange } = searched
  const keys = [sql.ref(`${order.table}.id`).as('id'), sql.ref(`${order.table}.${order.column}`).as('value')]
  const found = whereInRange(query.clearSelect().select(keys), order, false, undefined).where(search.matches)
  const { sql: text, parameters } = found.compile()
  const check = createStateCheck(db, text, selectNextChange)
  if (check === undefined || check.missesClock) return undefined
  return { ...searched, found, key: JSON.stringify([text, parameters]), check }
}

/** Selects the ids of a range. None if the cursor's row is not among the results. */
function selectIds({ ids }: FoundIds, range: FoundRange): number[] {
  const { descending, limit, offset, after } = range
  const start = after === undefined ? 0 : findStart(ids, after, descending)
  if (start === undefined) return []
  const first = start + offset
  if (!descending) return ids.slice(first, first + limit)
  const end = Math.max(0, ids.length - first)
  return ids.slice(Math.max(0, end - limit), end).reverse()
}

/** Counts the rows up to a cursor's row, in the direction of a range. */
function findStart(ids: readonly number[], [, id]: Cursor, descending: boolean): number | undefined {
  const index = ids.indexOf(id)
  if (index === -1) return undefined
  return descending ? ids.length - index : index + 1
}

/** Reads rows by their ids, unless the list has changed: in one statement, and so at one time. */
async function readUnchanged<Row>(
  { db, query, order, check }: FoundList,
  known: FoundIds,
  ids: readonly number[],
): Promise<Row[] | undefined> {
  const at = Date.now()
  if (at - known.at >= RECORDED_MS) return undefined
  const row = whereSameRow(query.clearWhere(), order.table, 'place')
  const value = sql.ref(`page_row.${order.column}`)
  const { rows } = await sql<Row & { list_snapshot: string; list_number: number | null }>`${sql.raw(
    PLANNED_EACH_TIME,
  )}
    with state as materialized (
      select ${check.hasChanged(known.state)} as changed, pg_current_snapshot()::text as list_snapshot)
    select state.list_snapshot, page.* from state left join lateral (
      select page_row.*, ${value}::text as cursor_value, place.list_number
      from unnest(${[...ids]}::bigint[]) with ordinality as place (id, list_number)
      cross join lateral (${row}) as page_row
    ) as page on not state.changed
    order by page.list_number`.execute(db)
  const [first] = rows
  // Without a page, a row has nothing but the state.
  if (first === undefined || rows.length !== ids.length || first.list_number === null) return undefined
  known.state = { ...known.state, snapshot: first.list_snapshot }
  known.at = at
  return rows
}

/** Starts to read the ids of a search, unless that has just been done. */
function startReading(list: FoundList, searches: BackgroundReads<FoundIds>): void {
  const known = searches.values.get(list.key)
  const wasJustRead = known !== undefined && Date.now() - known.readAt < known.ttlMs
  if (!wasJustRead) searches.start(list.key, list.order.table, () => readIds(list))
}

/** Reads the ids of all results of a search. */
async function readIds({ db, order, search, found, check }: FoundList): Promise<FoundIds | undefined> {
  const at = Date.now()
  const hit = whereSameRow(found, order.table, 'hit')
  // A single statement reads the ids and the state that they belong to. One text is read much faster than
  // a row for each id.
  const { rows } = await sql<ListState & { ids: string; hits: number }>`${sql.raw(PLANNED_EACH_TIME)}
    with hits as materialized (
      select id from (${search.selectIds(MAX_COUNTED_IDS + 1)}) as hits limit ${MAX_COUNTED_IDS + 1}
    ), results as (
      select found.id, found.value from (select distinct id from hits) as hit cross join lateral (${hit}) as found
      where (select count(*) from hits) <= ${sql.lit(MAX_COUNTED_IDS)}
    )
    select (select count(*)::int from hits) as hits, ${check.columns},
      coalesce((select string_agg(id::text, ',' order by value, id) from results), '') as ids`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { snapshot, next_change } = row
  const ids = row.ids === '' ? [] : row.ids.split(',').map(Number)
  const hasAll = row.hits <= MAX_COUNTED_IDS && ids.length <= MAX_FOUND_ROWS
  return {
    ids: hasAll ? ids : [],
    readAt: at,
    ttlMs: getTimeToLive(Date.now() - at),
    state: { snapshot, next_change },
    at,
  }
}
