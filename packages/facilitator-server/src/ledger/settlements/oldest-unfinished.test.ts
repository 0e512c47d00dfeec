import { sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import { losesTheCall, somePayment, testMoney } from '../../engine/testing-engine.ts'
import { readOldestUnfinished } from './oldest-unfinished.ts'

const money = await testMoney()

test('reads the age of the oldest unfinished settlement without a scan of the settlements', async () => {
  const account = await money.account({ settles: 20 })
  for (let count = 0; count < 10; count += 1) await money.engine.settle(somePayment(), money.by(account))
  expect(await readOldestUnfinished(money.db)).toEqual(
    new Map([
      ['sent', 0],
      ['unknown', 0],
    ]),
  )
  money.upstream.behavior = losesTheCall
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  await sql`update facilitator.settlements set reserved_at = clock_timestamp() - interval '1 hour'
    where nonce = ${payment.nonce}`.execute(money.db)
  // Enough rows for the planner to prefer an index, and current statistics.
  await sql`insert into facilitator.settlements (order_no, account_id, quota_id, price, network, domain, payer, nonce,
      fingerprint, wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, attempt, state, hold,
      transaction, ended_at)
    select s.order_no || n, s.account_id, s.quota_id, s.price, s.network, s.domain, s.payer, s.nonce || n, s.fingerprint,
      s.wire_network, s.x402_version, s.scheme, s.asset, s.pay_to, s.amount, s.valid_before, s.api, s.attempt, 'settled',
      'captured', '0x00', clock_timestamp()
    from facilitator.settlements s, generate_series(1, 2000) n where s.nonce = ${payment.nonce}`.execute(
    money.db,
  )
  await money.db.transaction().execute(async (trx) => {
    // Earlier statements of the connection may be counted too.
    const before = await countScans(trx)
    const ages = await readOldestUnfinished(trx)
    expect(await countScans(trx)).toBe(before)
    expect(ages.get('sent')).toBe(0)
    expect(ages.get('unknown')).toBeGreaterThanOrEqual(3600)
  })
})

async function countScans(trx: Transaction<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ scans: number }>`
    select seq_scan::integer as scans from pg_stat_xact_user_tables
    where schemaname = 'facilitator' and relname = 'settlements'`.execute(trx)
  return rows[0]?.scans
}
