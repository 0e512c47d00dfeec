import { type Kysely, sql } from 'kysely'
import { deleteInBatches } from '../database/delete-batches.ts'
import type { Tables } from '../database/tables.ts'

/** Small enough not to block the job that publishes. */
const BATCH = 1_000

/**
 * Deletes the entries for which nobody has paid for at least `days`, and frees their places in the limits of
 * their accounts.
 *
 * @returns The number of deleted entries.
 */
export async function deleteUnpaidEntries(
  db: Kysely<Tables>,
  days: number,
  batch: number = BATCH,
): Promise<number> {
  return await deleteInBatches(batch, () => deleteBatch(db, days, batch))
}

async function deleteBatch(db: Kysely<Tables>, days: number, batch: number): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    with unpaid as (
      select id from facilitator.catalog_entries
      where last_settled_on < (now() at time zone 'UTC')::date - ${days}::integer
      order by last_settled_on limit ${batch} for update skip locked
    ), deleted as (
      delete from facilitator.catalog_entries e using unpaid u where e.id = u.id
      returning e.account_id
    ), freed as (
      update facilitator.catalog_accounts a set entries = a.entries - d.entries
      from (select account_id, count(*) as entries from deleted group by account_id) d where a.account_id = d.account_id
    )
    select count(*) as count from deleted`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
