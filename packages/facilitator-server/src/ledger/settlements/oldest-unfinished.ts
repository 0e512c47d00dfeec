import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'

/**
 * Reads the age in seconds of the oldest settlement in each unfinished state. 0 for a state without
 * settlements.
 */
export async function readOldestUnfinished(db: Kysely<Tables>): Promise<Map<string, number>> {
  // The states are constants, because a parameter would exclude the partial index.
  const { rows } = await sql<{ state: string; age: number }>`
    select oldest.state,
      coalesce(extract(epoch from clock_timestamp() - oldest.reserved_at), 0)::float8 as age
    from (
      select 'sent' as state, (select min(reserved_at) from facilitator.settlements where state = 'sent') as reserved_at
      union all
      select 'unknown', (select min(reserved_at) from facilitator.settlements where state = 'unknown')
    ) oldest`.execute(db)
  return new Map(rows.map(({ state, age }) => [state, age]))
}

/** A settlement whose outcome is unknown. */
export interface UnknownSettlement {
  readonly id: number
  readonly orderNo: string
  readonly network: string
  readonly ageSeconds: number
}

/** Lists settlements whose outcome is unknown, oldest first. */
export async function listUnknown(db: Kysely<Tables>, limit: number): Promise<UnknownSettlement[]> {
  const { rows } = await sql<UnknownSettlement>`
    select id, order_no as "orderNo", network,
      extract(epoch from clock_timestamp() - reserved_at)::int as "ageSeconds"
    from facilitator.settlements where state = 'unknown' order by reserved_at, id limit ${limit}`.execute(db)
  return rows
}
