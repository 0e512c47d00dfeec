import type { SelectQueryBuilder } from 'kysely'

/**
 * The query of a list. Kysely's types cannot represent a query whose tables are unknown. Lists require only
 * an `id`.
 */
export type ListQuery<Row> = SelectQueryBuilder<Record<string, { id: number }>, string, Row>
