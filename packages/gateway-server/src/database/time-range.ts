import type { ListSearch, TimeRange } from '@mintmark/server-kit'
import { type RawBuilder, sql } from 'kysely'

/** Returns the condition that a row of `table` was created within a range. */
export function isCreatedWithin(
  table: string,
  { from, to }: TimeRange,
  column = 'created_at',
): RawBuilder<boolean> {
  const createdAt = sql.ref(`${table}.${column}`)
  const bounds = [
    ...(from === undefined ? [] : [sql`${createdAt} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${createdAt} < ${to}`]),
  ]
  return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`
}

/**
 * Searches for the rows that were created within a range, for a list in another order. Returns no search for
 * an unlimited range.
 *
 * @param condition The condition on the project, and that of the index.
 * @param columns The columns of the index between the project and the creation time, with their values.
 * @param column The creation time.
 */
export function searchCreated(
  table: string,
  condition: RawBuilder<boolean>,
  columns: { readonly [column: string]: unknown },
  { from, to }: TimeRange,
  column = 'created_at',
): ListSearch[] {
  if (from === undefined && to === undefined) return []
  const row = sql.join([...Object.keys(columns), column].map((name) => sql.ref(name)))
  const values = Object.values(columns)
  return [
    {
      matches: isCreatedWithin(table, { from, to }, column),
      selectIds: (limit) => sql`
        select id from ${sql.table(table)}
        where ${condition} and (${row}) >= (${sql.join([...values, from ?? '-infinity'])})
          and (${row}) < (${sql.join([...values, to ?? 'infinity'])})
        order by ${row} limit ${limit}`,
    },
  ]
}
