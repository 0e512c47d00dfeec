import { type ListSearch, selectIdsInRange } from '@mintmark/server-kit'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'
import { toContainsPattern } from './text-rules.ts'

/** Three adjacent letters or digits. The index of a keyword contains such triples only. */
const HAS_TRIPLE = /[\p{L}\p{N}]{3}/u

/** The columns of a keyword, and the function that finds the rows that contain a pattern, if there is one. */
export interface KeywordIndex<Table extends keyof Tables> {
  readonly table: Table
  readonly columns: readonly (keyof Tables[Table] & string)[]
  /** Calls the function, which reads the trigram index: row-level security keeps `ilike` from using one. */
  readonly selectIds?: (pattern: string, limit: number) => RawBuilder<unknown>
}

/** Searches for rows with a column that contains a keyword. Returns no search for an empty one. */
export function searchKeyword<Table extends keyof Tables>(
  { table, columns, selectIds }: KeywordIndex<Table>,
  keyword = '',
): ListSearch[] {
  if (keyword === '') return []
  const pattern = toContainsPattern(keyword)
  const contains = columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ilike ${pattern}`)
  return [
    {
      matches: sql<boolean>`(${sql.join(contains, sql` or `)})`,
      selectIds: selectIds && HAS_TRIPLE.test(keyword) ? (limit) => selectIds(pattern, limit) : undefined,
    },
  ]
}

/**
 * Searches a list for rows with these values, which an index has, but not in the order of the list.
 *
 * @param condition The condition on the project, and that of the index.
 * @param listed The columns of the index range of the list with which the index of the values begins. A second
 * condition on them would let PostgreSQL begin at the first row of the range, instead of at the cursor's row.
 */
export function searchColumns(
  table: keyof Tables & string,
  condition: RawBuilder<boolean>,
  columns: { readonly [column: string]: unknown },
  listed: { readonly [column: string]: unknown } = {},
): ListSearch {
  const equal = Object.entries(columns).map(([name, value]) => sql`${sql.ref(`${table}.${name}`)} = ${value}`)
  return {
    matches: sql<boolean>`${sql.join(equal, sql` and `)}`,
    selectIds: (limit) => selectIdsInRange(table, condition, { ...listed, ...columns }, limit),
  }
}

/**
 * Limits the rows of `table` to those with the values that `source` has in these columns, or with `values`.
 * Ends a sub-select. As a range with an order, the condition can only use an index that begins with these
 * columns after the project, whatever the statistics say. `offset 0` keeps the order.
 */
export function inRange(
  table: string,
  source: string | undefined,
  columns: readonly string[],
  values: { readonly [column: string]: unknown } = {},
): RawBuilder<boolean> {
  const toValue = (name: string) => (name in values ? sql`${values[name]}` : sql.ref(`${source}.${name}`))
  const row = sql.join(columns.map((name) => sql.ref(`${table}.${name}`)))
  const sourceRow = sql.join(columns.map(toValue))
  return sql`(${row}) >= (${sourceRow}) and (${row}) <= (${sourceRow}) order by ${row} offset 0`
}
