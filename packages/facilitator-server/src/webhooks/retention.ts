import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** A statement deletes few rows, so that it neither runs into the time limit nor blocks those who redeliver. */
const BATCH = 5_000

/**
 * Deletes deliveries that ended, and that nothing has sent again, for at least `days`. Their events stay: they are the history of payments. Removed
 * webhooks stay too, because deleting them would conflict with transactions that write events.
 *
 * @returns The number of deleted deliveries.
 */
export async function deleteOldDeliveries(
  db: Kysely<Tables>,
  days: number,
  batch: number = BATCH,
): Promise<number> {
  for (let deleted = 0; ; ) {
    // `now()` and not `clock_timestamp()`, so that the index of creation times can be used.
    const { numAffectedRows = 0n } = await sql`
      delete from facilitator.deliveries where id in (
        select id from facilitator.deliveries
        where created_at <= now() - make_interval(days => ${days})
          and last_attempt_at <= now() - make_interval(days => ${days}) and status <> 'PENDING'
        limit ${batch} for update skip locked)`.execute(db)
    deleted += Number(numAffectedRows)
    if (numAffectedRows < batch) return deleted
  }
}
