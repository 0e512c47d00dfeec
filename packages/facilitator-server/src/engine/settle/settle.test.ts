import { afterEach, expect, test } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import { findActiveQuota, revokeQuota } from '../../ledger/quotas/quotas.ts'
import type { PayingAccount } from '../../ledger/settlements/reserve.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import {
  allow,
  letTimePass,
  losesTheCall,
  price,
  refuses,
  refusesForNow,
  responded,
  sendsNothing,
  settles,
  settlesSilently,
  somePayment,
  testMoney,
} from '../testing-engine.ts'

const money = await testMoney()
afterEach(() => money.endTest())

const balance = async ({ id }: PayingAccount) => {
  const { available, held } = await getAccount(money.db, id)
  return { available: available / price, held: held / price }
}
const chargesOf = async ({ id }: PayingAccount) =>
  (await money.db.selectFrom('facilitator.charges').selectAll().where('account_id', '=', id).execute()).length
const toEvents = async ({ id }: PayingAccount) => {
  const events = money.db.selectFrom('facilitator.events').select('type').where('account_id', '=', id)
  return (await events.where('type', 'like', 'settlement%').orderBy('id').execute()).map(({ type }) => type)
}
const calls = (nonce: string) => money.upstream.calls.filter((called) => called === nonce).length

test('executes a settle, charges it once, records its event and delivers it', async () => {
  const account = await money.account({ settles: 3 })
  const payment = somePayment()
  const outcome = await money.engine.settle(payment, money.by(account))
  expect(outcome).toMatchObject({
    kind: 'settled',
    repeated: false,
    settlement: { payer: payment.payer, network: payment.wireNetwork, amount: 10_000n },
  })
  expect(await balance(account)).toEqual({ available: 2n, held: 0n })
  expect(await chargesOf(account)).toBe(1)
  expect(await toEvents(account)).toEqual(['settlement.settled'])
  expect(await findActiveQuota(money.db, account.id)).toMatchObject({
    used: price,
    held: 0n,
    remaining: 2n * price,
  })
})

test('a network without a configured chain is refused unless it is explicitly allowed', async () => {
  const account = await money.account()
  const payment = somePayment({ network: 'eip155:1', wireNetwork: 'eip155:1' })
  expect(await money.engine.settle(payment, money.by(account))).toMatchObject({ reason: 'invalid_network' })
  const trusting = money.another({ unreadableNetworks: new Set(['eip155:1']) })
  expect((await trusting.settle(payment, money.by(account))).kind).toBe('settled')
})

test('a quota allows no settle before its start, after its end or after its revocation', async () => {
  const account = await money.account({ settles: 5 })
  const settle = () => money.engine.settle(somePayment(), money.by(account))
  const owner = { account, payer: account.payer }
  const set = (times: object) =>
    money.db.updateTable('facilitator.payer_quotas').set(times).where('account_id', '=', account.id).execute()
  await set({ valid_after: 3_999_999_999n })
  expect(await settle()).toEqual({ kind: 'insufficient', shortage: 'quota' })
  await set({ valid_after: 0n, valid_before: 1_000_000_000n })
  expect(await settle()).toEqual({ kind: 'insufficient', shortage: 'quota' })
  await set({ valid_before: 4_000_000_000n })
  expect((await settle()).kind).toBe('settled')
  await revokeQuota(money.db, owner, { nonce: 1n, signature: '0x' })
  expect(await settle()).toEqual({ kind: 'insufficient', shortage: 'quota' })
})

test('a permanent refusal fails the settle and releases the price, and retries get the same response', async () => {
  money.upstream.behavior = refuses
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  const outcome = await money.engine.settle(payment, money.by(account))
  expect(outcome).toMatchObject({
    kind: 'failed',
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
    charged: false,
  })
  expect(await money.engine.settle(payment, money.by(account))).toEqual(outcome)
  expect(await balance(account)).toEqual({ available: 1n, held: 0n })
  expect(await findActiveQuota(money.db, account.id)).toMatchObject({ used: 0n, held: 0n, remaining: price })
  expect(await toEvents(account)).toEqual(['settlement.failed'])
  expect(calls(payment.nonce)).toBe(1)
})

test.each([
  ['a refusal that may pass', refusesForNow, { reason: 'insufficient_funds' }],
  ['an upstream that sent nothing', sendsNothing, { reason: 'unexpected_settle_error', retryAfter: 2 }],
])(
  'after %s the price is released without an event, and a retry executes the payment and is charged once',
  async (_, behavior, response) => {
    money.upstream.behavior = behavior
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    for (let repeat = 1; repeat <= 3; repeat += 1) {
      const outcome = await money.engine.settle(payment, money.by(account))
      expect(outcome).toMatchObject({ kind: 'not-sent', ...response })
      expect('retryAfter' in outcome).toBe('retryAfter' in response)
      expect(await balance(account)).toEqual({ available: 1n, held: 0n })
      expect(calls(payment.nonce)).toBe(repeat)
    }
    expect(await toEvents(account)).toEqual([])
    expect(await money.engine.check(payment, money.by(account))).toEqual({
      kind: 'valid',
      payer: payment.payer,
    })
    money.upstream.behavior = settles
    expect(await money.engine.settle(payment, money.by(account))).toMatchObject({
      kind: 'settled',
      repeated: false,
    })
    expect(await money.engine.settle(payment, money.by(account))).toMatchObject({ kind: 'duplicate' })
    expect(await balance(account)).toEqual({ available: 0n, held: 0n })
    expect(await chargesOf(account)).toBe(1)
    expect(await toEvents(account)).toEqual(['settlement.settled'])
    expect(await findByPayment(money.db, paymentKey(payment))).toMatchObject({
      reservation: 4,
      reason: null,
      upstream_status: 200,
    })
  },
)

test('a retry of a payment that was not sent reserves the current price in the current quota', async () => {
  money.upstream.behavior = sendsNothing
  const account = await money.account({ settles: 4, quota: 1 })
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  await allow(money.db, account, { settles: 4, nonce: 5n })
  const first = await findByPayment(money.db, paymentKey(payment))
  money.upstream.behavior = settles
  const dearer = money.another({ price: price * 2n })
  expect((await dearer.settle(payment, money.by(account))).kind).toBe('settled')
  const second = await findByPayment(money.db, paymentKey(payment))
  expect(second).toMatchObject({ id: first?.id, order_no: first?.order_no, price: String(price * 2n) })
  expect(second?.quota_id).not.toBe(first?.quota_id)
  expect(await balance(account)).toEqual({ available: 2n, held: 0n })
  expect(await findActiveQuota(money.db, account.id)).toMatchObject({ used: price * 2n, held: 0n })
})

test('a retry of a payment that was not sent is refused for an account without funds or with other terms', async () => {
  money.upstream.behavior = sendsNothing
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  const altered = { ...payment, fingerprint: 'another' }
  expect((await money.engine.settle(altered, money.by(account))).kind).toBe('conflict')
  expect((await money.engine.check(altered, money.by(account))).kind).toBe('refused')
  money.upstream.behavior = settles
  await money.engine.settle(somePayment(), money.by(account))
  const short = { kind: 'insufficient', shortage: 'balance' }
  expect(await money.engine.settle(payment, money.by(account))).toEqual(short)
  expect(await money.engine.check(payment, money.by(account))).toEqual(short)
  expect(calls(payment.nonce)).toBe(1)
})

test('a process that dies between the release and its response leaves a payment that can be retried', async () => {
  money.upstream.behavior = sendsNothing
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  const mortal = money.another({
    faultPoint: (point) => {
      if (point === 'after-ending-commit') throw new Error('the process died')
    },
  })
  await expect(mortal.settle(payment, money.by(account))).rejects.toThrow('the process died')
  await letTimePass(money.db)
  await money.engine.reconcile()
  expect(await balance(account)).toEqual({ available: 1n, held: 0n })
  expect((await findByPayment(money.db, paymentKey(payment)))?.state).toBe('not_sent')
  money.upstream.behavior = settles
  expect((await money.engine.settle(payment, money.by(account))).kind).toBe('settled')
})

test('a 2xx with a failure reason is charged and final, unless only successful settlements are charged: then it can be retried', async () => {
  const refusesWith2xx = () =>
    responded({ success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:84532' })
  money.upstream.behavior = refusesWith2xx
  const account = await money.account({ settles: 2 })
  const [charged, free] = [somePayment(), somePayment()]
  const byDefault = await money.engine.settle(charged, money.by(account))
  expect(byDefault).toMatchObject({ kind: 'failed', reason: 'insufficient_funds', charged: true })
  expect(await money.engine.settle(charged, money.by(account))).toEqual(byDefault)
  expect(await balance(account)).toEqual({ available: 1n, held: 0n })
  const lenient = money.another({ chargeOn: 'settled' })
  expect(await lenient.settle(free, money.by(account))).toMatchObject({
    kind: 'not-sent',
    reason: 'insufficient_funds',
  })
  expect(await balance(account)).toEqual({ available: 1n, held: 0n })
  money.upstream.behavior = settles
  expect((await lenient.settle(free, money.by(account))).kind).toBe('settled')
})

const transaction = `0x${'cd'.repeat(32)}`
const body = { transaction: '', network: 'eip155:84532' }
test.each([
  ['a timeout', { kind: 'lost', why: 'timeout', message: '' }],
  ['a reset', { kind: 'lost', why: 'reset', message: '' }],
  ['a 5xx', { kind: 'lost', why: 'status', httpStatus: 502, message: '' }],
  ['a malformed 2xx', { kind: 'lost', why: 'malformed', httpStatus: 200, message: '' }],
  ['success without a transaction', responded({ ...body, success: true })],
  [
    'no success, with a transaction',
    responded({ ...body, success: false, errorReason: 'insufficient_funds', transaction }),
  ],
  [
    'no success, for a reason that may come after broadcast',
    responded({ ...body, success: false, errorReason: 'unexpected_settle_error' }),
  ],
  ['no success, without a reason', responded({ ...body, success: false })],
] as const)(
  'keeps the outcome unknown and the price held after %s, and does not repeat the upstream call',
  async (_, response) => {
    money.upstream.behavior = () => response
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    const outcome = await money.engine.settle(payment, money.by(account))
    expect(outcome).toMatchObject({ kind: 'pending', payer: payment.payer })
    expect((await money.engine.settle(payment, money.by(account))).kind).toBe('pending')
    expect(await balance(account)).toEqual({ available: 0n, held: 1n })
    expect(await chargesOf(account)).toBe(0)
    expect(await toEvents(account)).toEqual(['settlement.unknown'])
    expect(calls(payment.nonce)).toBe(1)
  },
)

test('keeps the outcome unknown if the upstream throws or never responds', async () => {
  const account = await money.account()
  money.upstream.behavior = () => {
    throw new Error('a bug')
  }
  expect((await money.engine.settle(somePayment(), money.by(account))).kind).toBe('pending')
  money.upstream.behavior = () => new Promise(() => {})
  const hasty = money.another({ upstreamTimeout: 50 })
  expect((await hasty.settle(somePayment(), money.by(account))).kind).toBe('pending')
})

test('after a pending response, the first retry that reports success is the delivery', async () => {
  money.upstream.behavior = settlesSilently
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  expect((await money.engine.settle(payment, money.by(account))).kind).toBe('pending')
  await letTimePass(money.db)
  const repeats = await Promise.all(
    Array.from({ length: 5 }, () => money.engine.settle(payment, money.by(account))),
  )
  await letTimePass(money.db)
  repeats.push(await money.engine.settle(payment, money.by(account)))
  expect(repeats.filter(({ kind }) => kind === 'settled')).toHaveLength(1)
  expect((await money.engine.settle(payment, money.by(account))).kind).toBe('duplicate')
  expect(await chargesOf(account)).toBe(1)
  expect(calls(payment.nonce)).toBe(1)
})

test('returns from verify what settle would return: shortages, delivered payments and pending deliveries', async () => {
  const account = await money.account({ settles: 2 })
  const call = money.by(account, { idempotencyKey: 'mine' })
  const payment = somePayment()
  expect(await money.engine.check(payment, call)).toEqual({ kind: 'valid', payer: payment.payer })
  await money.engine.settle(payment, call)
  expect(await money.engine.check(payment, money.by(account))).toMatchObject({
    reason: 'duplicate_settlement',
  })
  expect((await money.engine.check(payment, call)).kind).toBe('valid')
  money.upstream.behavior = losesTheCall
  const unknown = somePayment()
  await money.engine.settle(unknown, money.by(account))
  expect((await money.engine.check(unknown, money.by(account))).kind).toBe('valid')
  expect((await money.engine.check(unknown, money.by(await money.account()))).kind).toBe('refused')
  expect(await money.engine.check(somePayment(), money.by(account))).toEqual({
    kind: 'insufficient',
    shortage: 'balance',
  })
})

test('records one event each for a low balance and an exhausted quota', async () => {
  const account = await money.account({ settles: 10, quota: 3 })
  const engine = money.another({ lowBalance: price * 9n })
  for (let settle = 0; settle < 4; settle += 1) await engine.settle(somePayment(), money.by(account))
  const events = money.db.selectFrom('facilitator.events').select(['type', 'sequence']).orderBy('id')
  expect(await events.where('subject', '=', `payer:${account.payer}`).execute()).toEqual([
    { type: 'payer_balance.credited', sequence: 1 },
    { type: 'payer_quota.registered', sequence: 2 },
    { type: 'payer_balance.low', sequence: 3 },
    { type: 'payer_quota.exhausted', sequence: 4 },
  ])
})

test('a price reserved in a replaced quota is captured or released in that quota', async () => {
  const account = await money.account({ settles: 4, quota: 2 })
  const first = await findActiveQuota(money.db, account.id)
  let replaced = false
  money.upstream.behavior = async (payment, chain) => {
    if (!replaced) await allow(money.db, account, { settles: 2, nonce: 5n })
    replaced = true
    return settles(payment, chain)
  }
  expect((await money.engine.settle(somePayment(), money.by(account))).kind).toBe('settled')
  money.upstream.behavior = refuses
  expect((await money.engine.settle(somePayment(), money.by(account))).kind).toBe('failed')
  const quotas = money.db.selectFrom('facilitator.payer_quotas').select(['id', 'used']).orderBy('id')
  expect(await quotas.where('account_id', '=', account.id).execute()).toEqual([
    { id: first?.id, used: price.toString() },
    { id: expect.any(Number), used: '0' },
  ])
})
