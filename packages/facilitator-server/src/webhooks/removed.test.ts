import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordEvent } from '../events/record-event.ts'
import { type TestWebhooks, testWebhooks } from './testing.ts'

let fixture: TestWebhooks
beforeAll(async () => {
  fixture = await testWebhooks()
})
afterAll(() => fixture.close())

test('removed webhooks cost nothing when an event is recorded, however many an account has', async () => {
  const { system: db } = fixture.database
  const webhooks = fixture.another({ deliver: false })
  await webhooks.start()
  const { account } = await fixture.account(webhooks)
  await sql`
    insert into facilitator.webhooks (account_id, url, secret, status)
    select ${account.id}, 'https://receiver.example', '', 'REMOVED' from generate_series(1, 1000)`.execute(db)
  const data = { payer: account.payer, orderNo: 'M1', amount: '1' }
  const event = { subject: 'settlement:1', type: 'settlement.settled', account: account.id, data } as const
  const read = await transaction(db, async (trx) => {
    await recordEvent(trx, event, webhooks.enqueue)
    const { rows } = await sql<{ rows: number }>`
      select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_xact_user_tables where relid = 'facilitator.webhooks'::regclass`.execute(trx)
    return rows[0]?.rows
  })
  expect(read).toBeLessThan(10)
})
