import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Engine } from '../../../engine/engine.ts'
import { price, settles, somePayment, testMoney } from '../../../engine/testing-engine.ts'
import { getAccount } from '../../../ledger/accounts/accounts.ts'
import type { PayingAccount } from '../../../ledger/settlements/reserve.ts'
import type { Payment } from '../../../payment/payment.ts'
import { type BrittleDatabase, createBrittleDatabase } from '../../../testing-database.ts'
import { authorizedDeposit, channelVoucher } from './channel-schemes.ts'
import type { Voucher } from './channel-terms.ts'
import { createStoreClaim } from './voucher-store.ts'

const money = await testMoney()
let brittle: BrittleDatabase
let engine: Engine
let account: PayingAccount
/** The attempts to store a voucher. */
let attempts = 0
/** What was logged as an error. */
const logged: string[] = []

const channelId = `0x${'c7'.repeat(32)}`
const config = {
  payer: somePayment().payer,
  payerAuthorizer: somePayment().payer,
  receiver: somePayment().payTo,
  receiverAuthorizer: `0x${'5b'.repeat(20)}`,
  token: somePayment().asset,
  withdrawDelay: 900,
  salt: `0x${'61'.repeat(32)}`,
}
const voucher: Voucher = { config, channelId, maximum: 20_000n, signature: `0x${'6d'.repeat(65)}` }
const voucherPayment = () =>
  somePayment({ scheme: channelVoucher, details: { kind: 'voucher', voucher, refunds: false } })
const depositPayment = () =>
  somePayment({ scheme: authorizedDeposit, details: { kind: 'deposit', voucher, salt: 1n } })

beforeAll(async () => {
  const counted = money.db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'RawNode' && node.sqlFragments.join('').includes('channel_vouchers')) attempts += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  brittle = createBrittleDatabase(counted)
  const { chain: chainReader } = money
  const verifier = {
    verify: async ({ scheme, payer }: Payment) =>
      ({ isValid: true, payer, isClaimable: scheme === channelVoucher }) as const,
  }
  const log = { warn: () => {}, error: (_: object, message: string) => void logged.push(message) }
  const storeClaim = createStoreClaim(brittle.db, log)
  engine = money.another({ db: brittle.db, storeClaim, verifier, chainReader, log })
})
beforeEach(async () => {
  logged.length = 0
  attempts = 0
  brittle.fails = undefined
  money.upstream.behavior = settles
  account = await money.account({ settles: 5 })
})

const countStored = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from facilitator.channel_vouchers where account_id = ${account.id}`.execute(
    money.db,
  )
  return rows[0]?.count
}
const check = async (payment: Payment) => await engine.check(payment, { account })

test('a voucher is not valid while the database cannot be reached, and is valid when the verify is repeated', async () => {
  brittle.fails = /channel_vouchers/
  const payment = voucherPayment()
  expect(await check(payment)).toMatchObject({ kind: 'refused', reason: 'unexpected_verify_error' })
  expect(logged).toEqual(['A voucher could not be stored'])
  // The caller repeats it, and does not wait for the database.
  expect(attempts).toBe(1)
  expect(await countStored()).toBe(0)
  brittle.fails = undefined
  for (let repeat = 0; repeat < 2; repeat += 1) {
    expect(await check(payment)).toMatchObject({ kind: 'valid' })
    expect(await countStored()).toBe(1)
  }
})

test('other payments store no voucher', async () => {
  expect(await check(somePayment())).toMatchObject({ kind: 'valid' })
  expect(await engine.settle(somePayment(), money.by(account))).toMatchObject({ kind: 'settled' })
  expect(attempts).toBe(0)
})

test('a deposit whose voucher cannot be stored is not sent or charged, and is settled when it is repeated', async () => {
  brittle.fails = /channel_vouchers/
  const payment = depositPayment()
  const calls = money.upstream.calls.length
  expect(await engine.settle(payment, money.by(account))).toMatchObject({
    kind: 'not-sent',
    reason: 'unexpected_settle_error',
    message: 'The voucher could not be stored. Nothing was sent',
  })
  expect(money.upstream.calls).toHaveLength(calls)
  expect((await getAccount(money.db, account.id)).available).toBe(5n * price)
  brittle.fails = undefined
  expect(await engine.settle(payment, money.by(account))).toMatchObject({ kind: 'settled' })
  expect(await countStored()).toBe(1)
  expect((await getAccount(money.db, account.id)).available).toBe(4n * price)
})

test('a deposit that the account cannot pay for stores nothing', async () => {
  account = await money.account({ settles: 0 })
  expect(await engine.settle(depositPayment(), money.by(account))).toMatchObject({ kind: 'insufficient' })
  expect(await countStored()).toBe(0)
})

test('the voucher of a deposit is stored when the upstream is called', async () => {
  const counted: (number | undefined)[] = []
  money.upstream.behavior = async (payment, chain) => {
    counted.push(await countStored())
    return settles(payment, chain)
  }
  expect(await engine.settle(depositPayment(), money.by(account))).toMatchObject({ kind: 'settled' })
  expect(counted).toEqual([1])
})
