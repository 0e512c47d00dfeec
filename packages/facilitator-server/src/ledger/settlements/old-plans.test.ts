// A session makes the plans of a function at its first call and keeps them. These sessions made theirs while
// the table was empty.
import { randomUUID } from 'node:crypto'
import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { facilitatorSchema } from '../../database/schema.ts'
import type { Tables } from '../../database/tables.ts'
import { price, somePayment, testMoney } from '../../engine/testing-engine.ts'
import type { Payment } from '../../payment/payment.ts'
import { createReadPaymentStatus } from './payment-status.ts'
import { createReserve, type PayingAccount, type Reservation } from './reserve.ts'

const ROWS = 20_000
/** Far below the rows, and above what the look-ups of one payment read. */
const FEW = 100
const revertLimits = { windowSeconds: 3600, perPayer: 3, perAccount: 100 }
const identifier = 'pay_of_old_plans'

const money = await testMoney()
let account: PayingAccount
let session: ReturnType<typeof openDatabase<Tables>>

const reserve = (db: Kysely<Tables>, payment: Payment): Promise<Reservation> =>
  createReserve(db, {
    price,
    upstream: 'built-in',
    leaseMilliseconds: 60_000,
    patience: 1_000,
    lowBalance: 0n,
    revertLimits,
    faultPoint: () => {},
  })({
    payment,
    account,
    attempt: randomUUID(),
    api: 'x402',
    funds: { balance: 10n ** 12n, allowance: 10n ** 12n, block: 1n, readAt: performance.now() },
  })
const readStatus = (db: Kysely<Tables>, payment: Payment) =>
  createReadPaymentStatus(db, price, revertLimits)({ payment, accountId: account.id })

/** Counts the index entries of settlements that `work` reads in one transaction. */
async function countEntries(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<number> {
  return session.system.transaction().execute(async (trx) => {
    await work(trx)
    const { rows } = await sql<{ entries: string }>`
      select sum(pg_stat_get_xact_tuples_returned(indexrelid)) as entries from pg_index
      where indrelid = 'facilitator.settlements'::regclass`.execute(trx)
    return Number(rows[0]?.entries)
  })
}

beforeAll(async () => {
  account = await money.account({ settles: 100 })
  session = openDatabase<Tables>({ url: money.url, role: facilitatorSchema.role, max: 1 })
  for (let round = 0; round < 2; round += 1) {
    await reserve(session.system, somePayment({ identifier }))
    await readStatus(session.system, somePayment({ identifier }))
  }
  // Settlements of other payers, in flight, half of them with an identifier.
  await sql`
    insert into facilitator.settlements (order_no, account_id, quota_id, price, network, domain, payer, nonce, fingerprint,
      wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, attempt, lease_until, payment_identifier)
    select 'order ' || i, ${account.id}, 1, 1, 'eip155:84532', 'domain', 'payer ' || i, 'nonce ' || i, 'f', 'eip155:84532', 2,
      'exact', 'asset', 'payee', 1, 1, 'x402', gen_random_uuid(), now(), case when i % 2 = 0 then 'pay_' || i end
    from generate_series(1, ${ROWS}::integer) as i`.execute(money.db)
})
afterAll(async () => {
  await session.close()
})

test.each([
  ['without an identifier', {}],
  ['with a new identifier', { identifier: 'pay_new_identifier' }],
  ['with an identifier that is used', { identifier }],
])(
  'a payment %s reads few entries of indexes, when it is verified and when it is reserved',
  async (_, given) => {
    const payment = somePayment(given)
    expect(await countEntries((db) => readStatus(db, payment))).toBeLessThan(FEW)
    expect(await countEntries((db) => reserve(db, payment))).toBeLessThan(FEW)
  },
)

test('a payment of a payer with thousands in the last minute reads few entries of indexes', async () => {
  const { network, asset, payer } = somePayment()
  // Settled before the balance was read: here in a block that it reflects, or by a remote facilitator, which
  // reports no block.
  await sql`
    insert into facilitator.settlements (order_no, account_id, quota_id, price, network, domain, payer, nonce, fingerprint,
      wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, attempt, state, hold, transaction, ended_at,
      block_number, upstream)
    select 'recent order ' || i, ${account.id}, 1, 1, ${network}, 'domain', ${payer}, 'recent nonce ' || i, 'f', ${network}, 2,
      'exact', ${asset}, 'payee', 1, 1, 'x402', gen_random_uuid(), 'settled', 'captured', 'transaction',
      clock_timestamp() - interval '1 second', case when i % 2 = 0 then 1 end,
      case when i % 2 = 0 then 'built-in' else 'remote' end
    from generate_series(1, 5000) as i`.execute(money.db)
  expect(await countEntries((db) => readStatus(db, somePayment()))).toBeLessThan(FEW)
  expect(await countEntries((db) => reserve(db, somePayment()))).toBeLessThan(FEW)
})
