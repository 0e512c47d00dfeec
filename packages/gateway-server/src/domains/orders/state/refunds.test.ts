import { OrderStatus, orders, type RefundTransfer } from '@mintmark/orders'
import type { Hex } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { createListing } from '../../../testing/create-listing.ts'
import { createOrderFixture, newHash } from '../../../testing/order-fixture.ts'
import { listOrderViolations } from '../../../testing/order-invariants.ts'
import { PRICE, payToken, send, transfer } from '../../../testing/payment-cases.ts'
import { paymentFixture } from '../../../testing/payment-fixture.ts'
import { buyer, createRefundFixture, HALF, SELLER, seller } from '../../../testing/refund-fixture.ts'
import { newAddress } from '../../../testing/samples/sample.ts'

const fixture = await paymentFixture({ watchBlocks: 8 })
afterAll(async () => {
  const violations = await listOrderViolations(fixture.gateway.owner.system)
  await fixture.close()
  expect(violations).toEqual([])
})

const { placeOrder, pay, underpay, paySoldOut, get, decline, getRefunds, record, refund } =
  createRefundFixture(fixture)
const refusedBy = (reason: string) => expect.objectContaining({ reason })

async function sendProposed(proposal: RefundTransfer | undefined): Promise<Hex> {
  if (proposal === undefined) throw new Error('No transfer was proposed')
  expect(proposal.from).toBe(seller)
  const { to, data, value } = proposal
  const hash = await send(fixture, to, { data: data as Hex, value: BigInt(value), account: SELLER })
  await fixture.chain.client.mine({ blocks: 2 })
  return hash
}

for (const native of [false, true])
  it(`an underpaid order in ${native ? 'the native token' : 'a token'} that is declined releases its stock, and owes what was paid until the proposed transfer is recorded`, async () => {
    const { order } = await underpay({ native })
    expect(await decline(order)).toMatchObject({
      orderStatus: OrderStatus.FAILED,
      reason: 'not_enough',
      refundDue: true,
    })
    expect(await fixture.orderFixture.readState(order)).toMatchObject({ listing: [10, 0, 0] })
    const { due, refunded, transfer: proposal } = await getRefunds(order)
    expect([due, refunded]).toEqual([`${HALF}`, '0'])
    const hash = await sendProposed(proposal)
    const paidBack = {
      due: '0',
      refunded: `${HALF}`,
      refunds: [expect.objectContaining({ hash, amount: `${HALF}` })],
    }
    const recorded = await record(order, hash)
    expect(recorded).toEqual(expect.objectContaining(paidBack))
    expect(recorded).not.toHaveProperty('transfer')
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.FAILED, refundDue: false })
    expect(await record(order, hash.toUpperCase().replace('0X', '0x'))).toEqual(recorded)
    expect(await decline(order)).toMatchObject({ orderStatus: OrderStatus.FAILED, refundDue: false })
    expect(await fixture.orderFixture.events(order)).toEqual([
      'reported',
      'mismatched',
      'declined',
      'refund_recorded',
    ])
  })

it('a refund in parts is due until the last part is recorded, and what is more than due is recorded as well', async () => {
  const { order } = await underpay()
  await decline(order)
  const first = await refund(HALF - 10n)
  expect(await record(order, first)).toMatchObject({ due: '10', refunded: `${HALF - 10n}` })
  expect(await get(order)).toMatchObject({ refundDue: true })
  const second = await refund(15n)
  expect(await record(order, second)).toMatchObject({ due: '0', refunded: `${HALF + 5n}` })
  expect(await get(order)).toMatchObject({ refundDue: false })
})

it('a SUCCESS that was paid too much stays one when the excess is paid back', async () => {
  const order = await placeOrder()
  await pay(order, PRICE + 7n)
  expect(await getRefunds(order)).toMatchObject({ due: '7' })
  expect(await record(order, await refund(7n))).toMatchObject({ due: '0' })
  await fixture.mineAndVerify(10)
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: false })
})

it('a refund that nobody owed is recorded, and does not pay for a later excess', async () => {
  const order = await placeOrder()
  await pay(order, PRICE)
  expect(await record(order, await refund(PRICE))).toMatchObject({ due: '0', refunded: `${PRICE}` })
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: false })
  await pay(order, PRICE)
  expect(await getRefunds(order)).toMatchObject({ due: `${PRICE}`, refunded: `${PRICE}` })
})

it('a payment that came when nothing was left goes back once the order is declined, and never revives it', async () => {
  const { order } = await paySoldOut()
  await decline(order)
  expect(await getRefunds(order)).toMatchObject({ due: `${PRICE}` })
  await record(order, await refund(PRICE))
  // Nodes lag behind, and forget the payment for a while.
  const forgetful = { ...fixture.chains, observe: async () => ({ kind: 'unseen' as const }) }
  await createOrderFixture(fixture.project, { chains: forgetful }).verify()
  await decline(order)
  await orders.payOrder(fixture.project.client, { ...order, hash: (await get(order)).hash }).catch(() => {})
  await fixture.mineAndVerify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject({ status: 'FAILED' })
  expect(await get(order)).toMatchObject({ refundDue: false })
})

describe('a transaction is refused as a refund', () => {
  const cases: readonly (readonly [title: string, reason: string, () => Promise<string>])[] = [
    ['that no node knows', 'REFUND_NOT_FINAL', async () => newHash()],
    [
      'that is not final',
      'REFUND_NOT_FINAL',
      () => send(fixture, fixture.chain.token, { data: transfer(buyer, HALF), account: SELLER }),
    ],
    [
      'of another wallet to the buyer',
      'REFUND_MISMATCH',
      () => send(fixture, fixture.chain.token, { data: transfer(buyer, HALF), account: 4 }),
    ],
    [
      'of the seller to another wallet',
      'REFUND_MISMATCH',
      () => send(fixture, fixture.chain.token, { data: transfer(newAddress(), HALF), account: SELLER }),
    ],
    ['in another token', 'REFUND_MISMATCH', () => refund(1n, fixture.otherToken)],
    ['in the native token', 'REFUND_MISMATCH', () => send(fixture, buyer, { value: HALF, account: SELLER })],
    ['of nothing', 'REFUND_MISMATCH', () => refund(0n)],
    ['that reverted', 'REFUND_MISMATCH', () => refund(10n ** 30n)],
  ]
  for (const [title, reason, make] of cases)
    it(`a transaction ${title} is refused as a refund, and what is due stays due`, async () => {
      const { order } = await underpay()
      await decline(order)
      // The seller owns some of the other token.
      await send(fixture, fixture.otherToken, { data: transfer(seller, 1n) })
      const hash = await make()
      if (title !== 'that is not final') await fixture.chain.client.mine({ blocks: 2 })
      await expect(record(order, hash)).rejects.toEqual(refusedBy(reason))
      expect(await getRefunds(order)).toMatchObject({ due: `${HALF}`, refunds: [] })
    })

  it("the order's own payment, and a transfer from before the order, are refused as its refund", async () => {
    const early = await refund(HALF)
    const { order, payment } = await underpay()
    await decline(order)
    for (const hash of [early, payment])
      await expect(record(order, hash)).rejects.toEqual(refusedBy('REFUND_MISMATCH'))
  })

  it('one transfer is the refund of one order, when both are recorded at once', async () => {
    const declined = [(await underpay()).order, (await underpay()).order]
    for (const order of declined) await decline(order)
    const hash = await refund(HALF)
    const results = await Promise.allSettled(declined.map((order) => record(order, hash)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { reason: 'PAYMENT_HASH_TAKEN' },
    })
    const dues = await Promise.all(declined.map(async (order) => (await getRefunds(order)).due))
    expect(dues.sort()).toEqual(['0', `${HALF}`])
  })

  it('a transfer that is recorded at once by two calls is recorded once', async () => {
    const { order } = await underpay()
    await decline(order)
    const hash = await refund(HALF)
    const results = await Promise.all([record(order, hash), record(order, hash), record(order, hash)])
    for (const result of results) expect(result).toMatchObject({ due: '0', refunded: `${HALF}` })
  })

  it("a refund is not another order's payment, although a buyer of the other direction reports it", async () => {
    const { order } = await underpay()
    await decline(order)
    const listing = await createListing(
      fixture.project,
      { payPrice: '1', payTokenAddress: fixture.chain.token },
      { seller: buyer },
    )
    const reversed = await fixture.orderFixture.order(listing, { recipient: seller })
    const hash = await refund(HALF)
    expect(await record(order, hash)).toMatchObject({ due: '0' })
    await expect(fixture.orderFixture.pay(reversed, hash)).rejects.toEqual(refusedBy('PAYMENT_HASH_TAKEN'))
  })
})

describe('a payment that goes back', () => {
  it('a payment that goes back pays no other order that reports it afterwards', async () => {
    const other = await placeOrder({ payPrice: HALF })
    const { order, payment } = await underpay()
    await decline(order)
    await expect(fixture.orderFixture.pay(other, payment)).rejects.toEqual(refusedBy('PAYMENT_HASH_TAKEN'))
  })

  it('a payment that pays another order, which reported it before, does not go back', async () => {
    const other = await placeOrder({ payPrice: HALF })
    const { order, payment } = await underpay()
    await fixture.orderFixture.pay(other, payment)
    await expect(decline(order)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
    await fixture.mineAndVerify()
    expect(await fixture.orderFixture.readState(other)).toMatchObject({ status: 'SUCCESS' })
    await expect(decline(order)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
    expect(await getRefunds(order)).toMatchObject({ due: '0' })
  })
})

it('an order that waits, is verified, is a SUCCESS or was never paid is not declined', async () => {
  const waiting = await placeOrder()
  await expect(decline(waiting)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
  await fixture.orderFixture.pay(waiting, newHash())
  await expect(decline(waiting)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
  const paid = await placeOrder()
  await pay(paid, PRICE)
  await expect(decline(paid)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
  const cancelled = await placeOrder()
  await orders.cancel(fixture.project.client, { orderNo: cancelled.orderNo })
  await expect(decline(cancelled)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
})

it('an order that was delivered before a reorganization took its payment is not declined', async () => {
  const order = await placeOrder()
  await pay(order, PRICE)
  const reorganized = {
    ...fixture.chains,
    observe: async () => ({ kind: 'unseen' as const }),
    compareFinalBlock: async () => ({ comparison: 'different' as const, finalBlock: 1 }),
  }
  await createOrderFixture(fixture.project, { chains: reorganized }).verify()
  await pay(order, HALF)
  expect(await fixture.orderFixture.readState(order)).toMatchObject({
    status: 'UNRESOLVED',
    reason: 'reorganized',
    stock: 'committed',
  })
  await expect(decline(order)).rejects.toEqual(refusedBy('ORDER_NOT_DECLINABLE'))
})

it('a late half payment of an expired order goes back once it is declined, and the debt cannot be removed from sight', async () => {
  const order = await placeOrder()
  await fixture.orderFixture.expire(order)
  await fixture.orderFixture.verify()
  await pay(order, HALF)
  expect(await decline(order)).toMatchObject({ orderStatus: OrderStatus.EXPIRED, refundDue: true })
  await orders.removeUnsuccessful(fixture.project.client, { recipient: buyer })
  expect(await getRefunds(order)).toMatchObject({ due: `${HALF}` })
})

it('an order that was removed is seen again once a part of its price is found, and can be declined', async () => {
  const order = await placeOrder()
  const hash = await payToken(fixture, order, HALF)
  await fixture.orderFixture.pay(order, hash)
  await fixture.orderFixture.ageReports(order, 3600)
  const forgetful = { ...fixture.chains, observe: async () => ({ kind: 'unseen' as const }) }
  await createOrderFixture(fixture.project, { chains: forgetful }).verify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject({ status: 'FAILED', reason: 'not_seen' })
  await orders.removeUnsuccessful(fixture.project.client, { recipient: buyer })
  await expect(get(order)).rejects.toMatchObject({ name: 'NotFoundError' })
  await fixture.mineAndVerify()
  expect(await decline(order)).toMatchObject({ refundDue: true })
  expect(await getRefunds(order)).toMatchObject({ due: `${HALF}` })
})

it('a second payment that completes a declined order pays it, and the first one still goes back', async () => {
  const { order } = await underpay()
  await decline(order)
  await pay(order, PRICE)
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: true })
  expect(await getRefunds(order)).toMatchObject({ due: `${HALF}` })
})

it('a recorded refund is returned while no node answers, and a new one is refused until one does', async () => {
  const { order } = await underpay()
  await decline(order)
  const hash = await refund(HALF - 1n)
  const recorded = await record(order, hash)
  const rest = await refund(1n)
  const interfere = fixture.node.interfere
  fixture.node.interfere = () => 'hang up'
  try {
    expect(await record(order, hash)).toEqual(recorded)
    await expect(record(order, rest)).rejects.toEqual(refusedBy('CHAIN_UNREADABLE'))
  } finally {
    fixture.node.interfere = interfere
  }
  expect(await record(order, rest)).toMatchObject({ due: '0' })
})
