import { type Kysely, sql } from 'kysely'
import { deleteInBatches } from '../database/delete-batches.ts'
import type { Tables } from '../database/tables.ts'

/** Small enough not to block those who redeliver. */
const BATCH = 5_000

/**
 * Deletes deliveries that ended, and that nothing has sent again, for at least `days`. Their events stay:
 * they are the history of payments. Removed webhooks stay too, because deleting them would conflict with
 * transactions that write events.
 *
 * @returns The number of deleted deliveries.
 */
export async function deleteOldDeliveries(
  db: Kysely<Tables>,
  days: number,
  batch: number = BATCH,
): Promise<number> {
  return await deleteInBatches(batch, () => deleteBatch(db, days, batch))
}

/**
 * An abandoned delivery may have no attempt. `now()` and not `clock_timestamp()`, so that the index of
 * creation times can be used.
 */
async function deleteBatch(db: Kysely<Tables>, days: number, batch: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from facilitator.deliveries where id in (
      select id from facilitator.deliveries
      where created_at <= now() - make_interval(days => ${days})
        and coalesce(last_attempt_at, created_at) <= now() - make_interval(days => ${days}) and status <> 'PENDING'
      limit ${batch} for update skip locked)`.execute(db)
  return Number(numAffectedRows)
}
