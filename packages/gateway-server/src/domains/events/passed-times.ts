import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'

const BATCH_SIZE = 500

/**
 * Records the times of rows that have passed by the database's clock: cards that start and expire, listings,
 * auctions, coupons and phases that start or end, and reservations of lazily minted NFTs that expire. Each is
 * recorded once and reported as an event, by any number of processes, also after a pause. Requires the
 * owner's rights.
 */
export async function passTimes(db: Kysely<Tables>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{
      passed: number
    }>`select gateway.pass_times(${BATCH_SIZE}) as passed`.execute(db)
    if ((rows[0]?.passed ?? 0) === 0) return
  }
}
