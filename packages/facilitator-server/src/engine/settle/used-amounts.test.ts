// Payments of the scheme upto, of which a seller verifies the maximum and settles what was used.
import { afterEach, expect, test } from 'vitest'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import { fingerprint } from '../../payment/fingerprint.ts'
import type { Payment } from '../../payment/payment.ts'
import { permit2Address } from '../../schemes/evm/shared/permit2/permit2-contracts.ts'
import { upto, uptoSpender } from '../../schemes/evm/upto/upto.ts'
import {
  letTimePass,
  losesTheCall,
  sendsNothing,
  settles,
  settlesSilently,
  somePayment,
  testMoney,
} from '../testing-engine.ts'

const money = await testMoney()
afterEach(() => money.endTest())

const MAXIMUM = 10_000n

/** Creates the payments of one signature, by the amount that the requirements name. */
function signMaximum(changes: Partial<Payment> = {}): (amount: bigint) => Payment {
  const details = { maximum: MAXIMUM, facilitator: uptoSpender }
  const signed = somePayment({ scheme: upto, domain: permit2Address, details, ...changes })
  return (amount) => {
    const payment = { ...signed, amount }
    return { ...payment, fingerprint: fingerprint(payment) }
  }
}
const findSettlement = async (payment: Payment) => findByPayment(money.db, paymentKey(payment))

test.each([
  ['is not known yet', losesTheCall],
  ['was made, and not delivered', settlesSilently],
] as const)('verify accepts a repeated payment whose settle for less %s', async (_, behavior) => {
  const call = money.by(await money.account())
  const pay = signMaximum()
  money.upstream.behavior = behavior
  expect((await money.engine.settle(pay(2_500n), call)).kind).toBe('pending')
  expect(await money.engine.check(pay(MAXIMUM), call)).toEqual({ kind: 'valid', payer: pay(0n).payer })
})

test('a payment that was made without an answer is delivered once, for the amount that was settled', async () => {
  const account = await money.account()
  const call = money.by(account)
  const pay = signMaximum()
  money.upstream.behavior = settlesSilently
  await money.engine.settle(pay(2_500n), call)
  money.upstream.behavior = settles
  await letTimePass(money.db)
  // More was used than was paid, so the resource must not be released.
  expect((await money.engine.settle(pay(2_501n), call)).kind).toBe('conflict')
  expect((await money.engine.settle(pay(2_500n), call)).kind).toBe('settled')
  expect(await money.engine.check(pay(MAXIMUM), call)).toMatchObject({ reason: 'duplicate_settlement' })
  expect((await money.engine.settle(pay(2_500n), call)).kind).toBe('duplicate')
})

test('a payment that was not sent is verified again, and settled for the amount that is used this time', async () => {
  const call = money.by(await money.account({ settles: 1 }))
  const pay = signMaximum()
  money.upstream.behavior = sendsNothing
  expect((await money.engine.settle(pay(2_500n), call)).kind).toBe('not-sent')
  expect((await money.engine.settle(pay(7_000n), call)).kind).toBe('not-sent')
  expect((await money.engine.check(pay(MAXIMUM), call)).kind).toBe('valid')
  money.upstream.behavior = settles
  expect(await money.engine.settle(pay(3_000n), call)).toMatchObject({
    kind: 'settled',
    settlement: { amount: 3_000n },
  })
  expect(await findSettlement(pay(3_000n))).toMatchObject({
    state: 'settled',
    amount: '3000',
    reservation: 3,
  })
  expect((await money.engine.settle(pay(2_500n), call)).kind).toBe('conflict')
})

test('one of 10 concurrent settles of a payment that was not sent executes it, each for another amount', async () => {
  const call = money.by(await money.account())
  const pay = signMaximum()
  money.upstream.behavior = sendsNothing
  await money.engine.settle(pay(1n), call)
  money.upstream.behavior = settles
  const amounts = Array.from({ length: 10 }, (_, index) => BigInt(index + 2))
  const outcomes = await Promise.all(amounts.map((amount) => money.engine.settle(pay(amount), call)))
  const settled = outcomes.filter(({ kind }) => kind === 'settled')
  expect(settled).toHaveLength(1)
  const settlement = await findSettlement(pay(0n))
  expect(settled).toMatchObject([{ settlement: { amount: BigInt(settlement?.amount ?? 0) } }])
  expect(money.upstream.executed.filter((nonce) => nonce === pay(0n).nonce)).toHaveLength(1)
})

test.each<[string, Partial<Payment>]>([
  ['with another signature', { signature: `0x${'22'.repeat(65)}` }],
  ['with another maximum', { details: { maximum: MAXIMUM + 1n, facilitator: uptoSpender } }],
  ['to another recipient', { payTo: `0x${'33'.repeat(20)}` }],
])('a payment %s is not the one that was not sent', async (_, changes) => {
  const call = money.by(await money.account())
  const pay = signMaximum()
  money.upstream.behavior = sendsNothing
  await money.engine.settle(pay(2_500n), call)
  money.upstream.behavior = settles
  const other = signMaximum({ nonce: pay(0n).nonce, signature: pay(0n).signature, ...changes })
  expect((await money.engine.settle(other(2_500n), call)).kind).toBe('conflict')
  expect((await money.engine.settle(other(2_501n), call)).kind).toBe('conflict')
  expect(await money.engine.check(other(MAXIMUM), call)).toMatchObject({ reason: 'duplicate_settlement' })
  const stranger = money.by(await money.account())
  expect((await money.engine.settle(pay(2_501n), stranger)).kind).toBe('conflict')
  expect(await findSettlement(pay(0n))).toMatchObject({ state: 'not_sent', amount: '2500' })
})
