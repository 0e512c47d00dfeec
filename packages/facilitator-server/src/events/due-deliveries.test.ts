import { type Database, openDatabase, transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { readDueDeliveries } from './due-deliveries.ts'

let drop: () => Promise<void>
let owner: Database<Tables>
beforeAll(async () => {
  const created = await createFacilitatorDatabase()
  drop = created.drop
  owner = openDatabase<Tables>({ url: created.url, max: 1 })
})
afterAll(async () => {
  await owner.close()
  await drop()
})

/** Counts the deliveries that statements of the connection have read. */
async function countRead(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables where relid = 'facilitator.deliveries'::regclass`.execute(trx)
  return rows[0]?.count ?? 0
}

test('due deliveries are counted without reading those that are retried later', async () => {
  await transaction(owner.system, async (trx) => {
    // Triggers and foreign keys are not checked.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      insert into facilitator.deliveries (account_id, webhook_id, event_id, event_type, next_attempt_at)
      select 1, 1, n, 'settlement.settled', now() + case when n <= 3 then interval '-1 minute' else interval '1 hour' end
      from generate_series(1, 10000) n`.execute(trx)
    await sql`analyze facilitator.deliveries`.execute(trx)
    const before = await countRead(trx)
    const { count, oldestSeconds } = await readDueDeliveries(trx)
    expect((await countRead(trx)) - before).toBeLessThan(10)
    expect(count).toBe(3)
    expect(oldestSeconds).toBeGreaterThanOrEqual(60)
  })
})
