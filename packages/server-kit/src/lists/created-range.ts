import { type RawBuilder, sql } from 'kysely'
import type { TimeRange } from '../http/time-format.ts'
import type { ListSearch } from './list-search.ts'

/** A limit of a list to the rows that were created within a range of time. */
export interface CreatedRange extends TimeRange {
  /** The column of the time. Default: `created_at`. */
  readonly column?: string
  /**
   * The conditions on the project and of the index that has the rows by time, without table names. In orders
   * other than by time, the index finds the rows of the range. By default the times are compared.
   */
  readonly listed?: RawBuilder<boolean>
}

/** Returns the column of the time. */
export const getTimeColumn = ({ column = 'created_at' }: CreatedRange) => column

/** Returns the condition that a row of `table` was created within a range. */
export function isCreatedWithin(table: string, created: CreatedRange): RawBuilder<boolean> {
  const { from, to } = created
  const createdAt = sql.ref(`${table}.${getTimeColumn(created)}`)
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
 * @param columns The columns of the index between the project and the time, with their values.
 */
export function searchCreated(
  table: string,
  columns: { readonly [column: string]: unknown } = {},
  created: CreatedRange = {},
): ListSearch[] {
  const { from, to, listed } = created
  if (from === undefined && to === undefined) return []
  const matches = isCreatedWithin(table, created)
  if (listed === undefined) return [{ matches, selectIds: undefined }]
  const row = sql.join([...Object.keys(columns), getTimeColumn(created)].map((name) => sql.ref(name)))
  const values = Object.values(columns)
  const selectIds = (limit: number) => sql`
    select id from ${sql.table(table)}
    where ${listed} and (${row}) >= (${sql.join([...values, from ?? '-infinity'])})
      and (${row}) < (${sql.join([...values, to ?? 'infinity'])})
    order by ${row} limit ${limit}`
  return [{ matches, selectIds }]
}
