import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'

const MAX_COUNTED = 1_000

export interface DueDeliveries {
  /** At most 1,000. */
  readonly count: number
  /** How late the oldest one is; 0 for none. */
  readonly oldestSeconds: number
}

/** Reads how many deliveries are due, and how late they are. */
export async function readDueDeliveries(db: Kysely<Tables>): Promise<DueDeliveries> {
  const { rows } = await sql<DueDeliveries>`
    select count(*)::int as count,
      coalesce(max(extract(epoch from clock_timestamp() - due_at)), 0)::float8 as "oldestSeconds"
    from (select next_attempt_at as due_at from facilitator.deliveries
      where status = 'PENDING' and next_attempt_at <= statement_timestamp()
      order by due_at limit ${MAX_COUNTED}) due`.execute(db)
  return rows[0] ?? { count: 0, oldestSeconds: 0 }
}
