import type { SelectQueryBuilder } from 'kysely'

/**
 * The query of a list. Kysely's types cannot represent a query whose tables are unknown. Lists require only
 * an `id`.
 */
export type ListQuery<Row> = SelectQueryBuilder<Record<string, { id: number }>, string, Row>

/** The last row of the previous page: the value of its order column as PostgreSQL formats it, and its id. */
export type Cursor = readonly [value: string, id: number]

/** Adjacent rows of a list, read in one direction, after the cursor's row if there is a cursor. */
export interface SelectedRange {
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
  readonly after: Cursor | undefined
}
