import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { somePayment, testMoney } from '../../engine/testing-engine.ts'
import { readInFlight } from './payment-status.ts'

/** The block and the age of a balance, which are those that the payments below are compared with. */
const BLOCK = 100n
const READ_SECONDS_AGO = 10

interface Settlement {
  readonly state: 'sent' | 'unknown' | 'settled' | 'failed'
  /** Seconds since the end. */
  readonly ended?: number
  readonly block?: bigint
  readonly upstream?: 'built-in' | 'remote'
  readonly isFinal?: boolean
  readonly expired?: boolean
  /** Our transaction: the block that it was mined in, or `unmined`. */
  readonly own?: bigint | 'unmined'
}

const money = await testMoney()
let account: { readonly id: number }
let count = 0

beforeAll(async () => {
  account = await money.account({ settles: 1 })
})

async function insert(payer: string, settlement: Settlement): Promise<void> {
  const { state, ended, block, upstream = 'built-in', isFinal = false, expired = false, own } = settlement
  const { network, asset } = somePayment()
  const isUnfinished = state === 'sent' || state === 'unknown'
  const hold = isUnfinished ? 'held' : state === 'settled' ? 'captured' : 'released'
  count += 1
  const { rows } = await sql<{ id: string }>`
    insert into facilitator.settlements (order_no, account_id, quota_id, price, network, domain, payer, nonce, fingerprint,
      wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, attempt, state, hold, transaction, ended_at,
      block_number, upstream, lease_until, final_at)
    values (${`order ${count}`}, ${account.id}, 1, 1, ${network}, 'domain', ${payer}, ${`nonce ${count}`}, 'f', ${network}, 2,
      'exact', ${asset}, 'payee', 7, ${expired ? 1 : 9_999_999_999}, 'x402', gen_random_uuid(), ${state}, ${hold}, 'hash',
      clock_timestamp() - make_interval(secs => ${ended ?? null}::float8), ${block?.toString() ?? null}::numeric, ${upstream},
      ${isUnfinished ? new Date() : null}, ${isFinal ? new Date() : null}) returning id`.execute(money.db)
  if (own === undefined) return
  const minedIn = own === 'unmined' ? null : own.toString()
  await sql`
    insert into facilitator.transactions (chain_id, signer, nonce, purpose, settlement_id, domain, payer, authorization_nonce,
      recipient, data, gas, state, hash, succeeded, block_number, block_hash)
    values (1, 'signer', ${count}, 'settle', ${rows[0]?.id}, 'domain', ${payer}, ${`nonce ${count}`}, 'r', '0x', 1,
      ${minedIn === null ? 'sent' : 'mined'}, ${minedIn && `hash ${count}`}, ${minedIn && true}, ${minedIn}::numeric,
      ${minedIn && 'block'})`.execute(money.db)
}

const settled = { state: 'settled', ended: 20 } as const

test.each<[string, bigint, Settlement]>([
  ['a payment that was sent', 7n, { state: 'sent' }],
  ['a payment with an unknown outcome', 7n, { state: 'unknown' }],
  ['an expired payment with an unknown outcome', 0n, { state: 'unknown', expired: true }],
  ['a payment that failed', 0n, { state: 'failed', ended: 1 }],
  ['a payment in a later block', 7n, { ...settled, block: 101n }],
  ['a payment in the block of the balance', 0n, { ...settled, block: 100n }],
  [
    'a payment that ended after the balance was read, in an earlier block',
    0n,
    { ...settled, ended: 5, block: 99n },
  ],
  [
    'a payment that ended after the balance was read, in a block that is not known',
    7n,
    { ...settled, ended: 5 },
  ],
  [
    'a payment in a later block that ended more than a minute ago',
    0n,
    { ...settled, ended: 61, block: 101n },
  ],
  ['a final payment', 0n, { ...settled, block: 101n, isFinal: true }],
  [
    'a payment whose block is not known and whose transaction is not mined',
    7n,
    { ...settled, own: 'unmined' },
  ],
  [
    'a payment whose block is not known and whose transaction is in a later block',
    7n,
    { ...settled, own: 101n },
  ],
  [
    'a payment whose block is not known and whose transaction is in an earlier block',
    0n,
    { ...settled, own: 99n },
  ],
  ['a payment by a remote facilitator before the balance was read', 0n, { ...settled, upstream: 'remote' }],
  [
    'a payment by a remote facilitator after the balance was read',
    7n,
    { ...settled, ended: 5, upstream: 'remote' },
  ],
])('%s counts as %s base units in flight', async (name, amount, settlement) => {
  const payment = { ...somePayment(), payer: `payer of ${name}` }
  await insert(payment.payer, settlement)
  const funds = { balance: 0n, block: BLOCK, readAt: performance.now() - READ_SECONDS_AGO * 1000 }
  expect(await readInFlight(money.db, payment, funds)).toBe(amount)
})

test('a balance without a block reflects what ended before it was read, unless our transaction is not mined', async () => {
  const payment = { ...somePayment(), payer: 'payer of a balance without a block' }
  await insert(payment.payer, { ...settled, block: 5n })
  await insert(payment.payer, { ...settled, block: 5n, own: 'unmined' })
  const funds = { balance: 0n, block: undefined, readAt: performance.now() - READ_SECONDS_AGO * 1000 }
  expect(await readInFlight(money.db, payment, funds)).toBe(7n)
})

test('a balance with the block number of another chain reflects what ended before it was read', async () => {
  const payment = { ...somePayment(), payer: 'payer of a chain whose contracts see blocks of another one' }
  // As on Arbitrum: contracts see the blocks of Ethereum.
  const newest = 400_000_000n
  const recordHead = (block: bigint) =>
    sql`
    insert into facilitator.chain_heads (network, block_number) values (${payment.network}, ${block})
    on conflict (network) do update set block_number = excluded.block_number`.execute(money.db)
  await recordHead(newest)
  onTestFinished(async () => {
    await sql`delete from facilitator.chain_heads where network = ${payment.network}`.execute(money.db)
  })
  await insert(payment.payer, { ...settled, block: newest - 50n, own: newest - 50n })
  await insert(payment.payer, { ...settled, ended: 5, block: newest })
  const funds = { balance: 0n, block: 23_000_000n, readAt: performance.now() - READ_SECONDS_AGO * 1000 }
  expect(await readInFlight(money.db, payment, funds)).toBe(7n)
  // The block of a node that lags is of the chain.
  expect(await readInFlight(money.db, payment, { ...funds, block: newest - 60n })).toBe(14n)
})
