import { NotFoundError } from '@mintmark/envelope'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { maxUint256 } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { findInventory } from '../../../main/composition.ts'
import { createOrderFixture } from '../../../testing/order-fixture.ts'
import { listOrderViolations } from '../../../testing/order-invariants.ts'
import { PRICE, payToken } from '../../../testing/payment-cases.ts'
import { paymentFixture } from '../../../testing/payment-fixture.ts'
import { buyer, createRefundFixture, HALF, seller } from '../../../testing/refund-fixture.ts'
import { resolveOrder } from '../verification/operator.ts'
import { recordRefund } from '../verification/refunds.ts'

const fixture = await paymentFixture({ watchBlocks: 8 })
afterAll(async () => {
  const violations = await listOrderViolations(fixture.gateway.owner.system)
  await fixture.close()
  expect(violations).toEqual([])
})

const { list, placeOrder, report, pay, underpay, paySoldOut, get, decline, getRefunds, record, refund } =
  createRefundFixture(fixture)
const refusedBy = (reason: string) => expect.objectContaining({ reason })

const decision = { actor: 'ada', reason: 'a test' }
const resolve = ({ orderNo }: Order, event: 'resolved_success' | 'resolved_failed', hash?: string) =>
  resolveOrder(fixture.gateway.owner.system, findInventory, { orderNo, event, hash, ...decision })
const decideRefund = ({ orderNo }: Order, more: { payment?: string; hash?: string } = {}) =>
  recordRefund(fixture.gateway.owner.system, findInventory, { orderNo, ...decision, ...more })

describe('a refund pays what was paid before it', () => {
  it('a refund that is recorded before its order is declined pays what the decline makes due', async () => {
    const { order } = await underpay()
    await record(order, await refund(HALF - 1n))
    expect(await decline(order)).toMatchObject({ refundDue: true })
    expect(await getRefunds(order)).toMatchObject({ due: '1', refunded: `${HALF - 1n}` })
    await record(order, await refund(1n))
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.FAILED, refundDue: false })
  })

  it('a refund of an excess payment that is recorded before the payment is verified is not due again', async () => {
    const order = await placeOrder()
    await pay(order, PRICE)
    await report(order, PRICE)
    await record(order, await refund(PRICE))
    await fixture.mineAndVerify()
    await fixture.orderFixture.verify()
    expect(await getRefunds(order)).toMatchObject({ due: '0', refunded: `${PRICE}` })
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: false })
    const alerts = fixture.orderFixture.alerts.filter((line) => line.includes(order.orderNo))
    expect(alerts).toHaveLength(1)
    expect(alerts[0]).not.toContain('refundDue')
  })

  it('a transfer to the buyer from before the payment does not pay it back', async () => {
    const order = await placeOrder()
    const early = await refund(HALF)
    await pay(order, HALF)
    await decline(order)
    expect(await record(order, early)).toMatchObject({ due: `${HALF}`, refunded: `${HALF}` })
    expect(await record(order, await refund(HALF))).toMatchObject({ due: '0' })
  })

  it('two payments that go back one after the other are paid by the refunds after them', async () => {
    const { order } = await underpay()
    await decline(order)
    await record(order, await refund(HALF))
    await pay(order, HALF)
    await decline(order)
    expect(await record(order, await refund(HALF))).toMatchObject({ due: '0', refunded: `${PRICE}` })
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.FAILED, refundDue: false })
  })
})

describe('an operator decides about an order whose refund has begun', () => {
  it('a payment that went back in part, and then counts as excess, is due without that part', async () => {
    const { order, winner } = await paySoldOut(PRICE)
    await decline(order)
    await record(order, await refund(HALF + 1n))
    await orders.cancel(fixture.project.client, { orderNo: winner.orderNo })
    const second = await payToken(fixture, order, PRICE)
    expect(await resolve(order, 'resolved_success', second)).toMatchObject({ status: 'SUCCESS' })
    await fixture.orderFixture.pay(order, second)
    await fixture.mineAndVerify()
    await fixture.orderFixture.verify()
    expect(await get(order)).toMatchObject({ txId: second, refundDue: true })
    expect(await getRefunds(order)).toMatchObject({ due: `${HALF - 1n}`, refunded: `${HALF + 1n}` })
  })

  it('a payment of which more than its excess went back is not due when the order succeeds', async () => {
    const { order, winner } = await paySoldOut(PRICE + 7n)
    await record(order, await refund(PRICE))
    await orders.cancel(fixture.project.client, { orderNo: winner.orderNo })
    await resolve(order, 'resolved_success')
    await fixture.mineAndVerify()
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: false })
    expect(await fixture.orderFixture.events(order)).toContain('overpaid')
  })

  it('a part that went back before the order was closed pays no other payment back', async () => {
    const { order } = await underpay()
    const other = await payToken(fixture, order, HALF)
    await decline(order)
    await record(order, await refund(HALF - 1n))
    await resolve(order, 'resolved_failed')
    await expect(fixture.orderFixture.pay(order, other)).rejects.toEqual(refusedBy('ORDER_NOT_PAYABLE'))
    await fixture.mineAndVerify()
    await decline(order)
    expect(await getRefunds(order)).toMatchObject({ due: `${HALF}`, refunded: `${HALF - 1n}` })
  })
})

it('an order whose refund was recorded before it was declined can be declined', async () => {
  const { order } = await paySoldOut(PRICE)
  expect(await record(order, await refund(PRICE))).toMatchObject({ due: '0' })
  expect(await decline(order)).toMatchObject({ orderStatus: OrderStatus.FAILED, refundDue: false })
})

describe('one transfer counts once', () => {
  it('a payment that an order in progress waits for is not recorded as a refund of another order', async () => {
    const { order } = await underpay()
    await decline(order)
    const listing = await list({ payPrice: HALF, from: buyer })
    const reversed = await fixture.orderFixture.order(listing, { recipient: seller })
    const hash = await refund(HALF)
    await fixture.orderFixture.pay(reversed, hash)
    await expect(record(order, hash)).rejects.toEqual(refusedBy('PAYMENT_HASH_TAKEN'))
    await fixture.mineAndVerify()
    expect(await get(reversed)).toMatchObject({ orderStatus: OrderStatus.SUCCESS })
    expect(await getRefunds(order)).toMatchObject({ due: `${HALF}` })
  })

  it('a transfer that an operator recorded for one order is not the refund of another one', async () => {
    const paidTwice = await placeOrder()
    await pay(paidTwice, PRICE)
    await pay(paidTwice, PRICE)
    const { order } = await underpay()
    await decline(order)
    const hash = await refund(PRICE)
    await decideRefund(paidTwice, { hash })
    await expect(record(order, hash)).rejects.toEqual(refusedBy('PAYMENT_HASH_TAKEN'))
    const recorded = await refund(HALF)
    await record(order, recorded)
    const paidAgain = await placeOrder()
    await pay(paidAgain, PRICE)
    await pay(paidAgain, PRICE)
    await expect(decideRefund(paidAgain, { hash: recorded })).rejects.toThrow('a refund of another order')
  })

  it('a transfer that an operator and the seller record pays one of two payments', async () => {
    const order = await placeOrder()
    await pay(order, PRICE)
    const second = await pay(order, PRICE)
    await pay(order, PRICE)
    const hash = await refund(PRICE)
    await decideRefund(order, { payment: second, hash })
    expect(await record(order, hash)).toMatchObject({ due: `${PRICE}`, refunded: `${PRICE}` })
  })
})

it('an order that was paid in part is not removed before its payment has gone back', async () => {
  const remove = () => orders.removeUnsuccessful(fixture.project.client, { recipient: buyer })
  const order = await placeOrder()
  await fixture.orderFixture.expire(order)
  await fixture.orderFixture.verify()
  await pay(order, HALF)
  await remove()
  await decline(order)
  await record(order, await refund(HALF))
  await remove()
  await expect(get(order)).rejects.toThrow(NotFoundError)
})

it('what a dishonest token claims to have moved is due, and a refund of it is recorded', async () => {
  const order = await placeOrder()
  await report(order, PRICE)
  await report(order, PRICE)
  const observe: typeof fixture.chains.observe = async (...request) => {
    const observation = await fixture.chains.observe(...request)
    return observation.kind === 'mined' ? { ...observation, paid: maxUint256 } : observation
  }
  await fixture.chain.client.mine({ blocks: 2 })
  const dishonest = createOrderFixture(fixture.project, { chains: { ...fixture.chains, observe } })
  for (let check = 0; check < 3; check += 1) await dishonest.verify()
  expect(await getRefunds(order)).toMatchObject({ due: `${maxUint256}` })
  expect(await record(order, await refund(1n))).toMatchObject({ due: `${maxUint256}`, refunded: '1' })
})
