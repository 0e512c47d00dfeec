import { type Order, OrderStatus } from '@mintmark/orders'
import { afterAll, describe, expect, it } from 'vitest'
import { createOrderFixture, newHash } from '../../../testing/order-fixture.ts'
import { listOrderViolations } from '../../../testing/order-invariants.ts'
import { PRICE } from '../../../testing/payment-cases.ts'
import { paymentFixture } from '../../../testing/payment-fixture.ts'
import { buyer, createRefundFixture, HALF, type Terms } from '../../../testing/refund-fixture.ts'

const fixture = await paymentFixture({ watchBlocks: 8 })
afterAll(async () => {
  const violations = await listOrderViolations(fixture.gateway.owner.system)
  await fixture.close()
  expect(violations).toEqual([])
})

const { list, report, pay, get, decline, getRefunds, record, refund, ...refunds } =
  createRefundFixture(fixture)
const { orderFixture, mineAndVerify, project } = fixture
const placeOrder = (terms?: Terms) => refunds.placeOrder({ ...terms, partialPayments: true })
const ledgerOf = async (order: Order) => {
  const { paid, due, refunded, kept } = await getRefunds(order)
  return { paid, due, refunded, kept }
}
const SOLD = [9, 0, 1]
const RESERVED = [9, 1, 0]

for (const native of [false, true])
  it(`two halves in ${native ? 'the native token' : 'a token'} pay an order that allows partial payments`, async () => {
    const order = await placeOrder({ native })
    expect(order).toMatchObject({ partialPayments: true, paidAmount: '0' })
    const first = await pay(order, HALF)
    expect(await get(order)).toMatchObject({
      orderStatus: OrderStatus.IN_PROGRESS,
      paidAmount: `${HALF}`,
      hash: first,
    })
    expect(await orderFixture.readState(order)).toMatchObject({ listing: RESERVED })
    const second = await pay(order, HALF)
    expect(await get(order)).toMatchObject({
      orderStatus: OrderStatus.SUCCESS,
      paidAmount: `${PRICE}`,
      txId: second,
      refundDue: false,
    })
    expect(await ledgerOf(order)).toEqual({ paid: `${PRICE}`, due: '0', refunded: '0', kept: `${PRICE}` })
    await mineAndVerify(12)
    await orderFixture.verify()
    expect(await orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS', listing: SOLD })
    expect(await orderFixture.events(order)).toEqual(['reported', 'paid_in_part', 'paid_in_part', 'paid'])
    expect(orderFixture.alerts.filter((line) => line.includes(order.orderNo))).toEqual([])
  })

it('two parts that are final at once pay the order, and the excess is due to be paid back', async () => {
  const order = await placeOrder()
  await report(order, HALF)
  await report(order, HALF + 3n)
  await mineAndVerify()
  await orderFixture.verify()
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: true })
  const paid = `${PRICE + 3n}`
  expect(await ledgerOf(order)).toEqual({ paid, due: '3', refunded: '0', kept: paid })
  expect(await record(order, await refund(3n))).toMatchObject({ due: '0', refunded: '3', kept: `${PRICE}` })
  await mineAndVerify()
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: false })
})

it.each([
  ['a further part', HALF / 2n, HALF / 2n],
  ['the whole price once more', PRICE, PRICE],
])('%s that is final after two halves is due to be paid back', async (_, further, due) => {
  const order = await placeOrder()
  await pay(order, HALF)
  await pay(order, HALF)
  await pay(order, further)
  await orderFixture.verify()
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, refundDue: true })
  expect(await ledgerOf(order)).toMatchObject({ paid: `${PRICE + further}`, due: `${due}` })
})

it('parts that more than complete the price when they are final together go back but for what completes it', async () => {
  const order = await placeOrder()
  for (const part of [HALF, HALF, HALF]) await report(order, part)
  await mineAndVerify()
  for (let check = 0; check < 3; check += 1) await orderFixture.verify()
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS })
  expect(await ledgerOf(order)).toMatchObject({ paid: `${PRICE + HALF}`, due: `${HALF}` })
})

it('a part goes back once the whole price was paid in one transaction', async () => {
  const order = await placeOrder()
  await pay(order, HALF)
  const whole = await pay(order, PRICE)
  await orderFixture.verify()
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, txId: whole, refundDue: true })
  expect(await ledgerOf(order)).toMatchObject({ due: `${HALF}` })
  expect(await record(order, await refund(HALF))).toMatchObject({ due: '0', kept: `${PRICE}` })
})

it('an order that is not completed until it expires needs a decision, and every part goes back once it is declined', async () => {
  const order = await placeOrder()
  await pay(order, 400_000n)
  await pay(order, 100_000n)
  await orderFixture.expire(order)
  await orderFixture.verify()
  expect(await orderFixture.readState(order)).toMatchObject({
    status: 'UNRESOLVED',
    reason: 'not_enough',
    listing: RESERVED,
  })
  await report(order, HALF)
  await mineAndVerify()
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'UNRESOLVED' })
  expect(await decline(order)).toMatchObject({ orderStatus: OrderStatus.FAILED, refundDue: true })
  expect(await ledgerOf(order)).toEqual({
    paid: `${PRICE}`,
    due: `${PRICE}`,
    refunded: '0',
    kept: `${PRICE}`,
  })
  expect(await record(order, await refund(PRICE))).toMatchObject({
    due: '0',
    refunded: `${PRICE}`,
    kept: '0',
  })
  await mineAndVerify()
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'FAILED', listing: [10, 0, 0] })
})

it('a part that was reported before the order expired completes it although it is final later', async () => {
  const order = await placeOrder()
  await pay(order, HALF)
  await report(order, HALF)
  await orderFixture.expire(order)
  await orderFixture.verify()
  await mineAndVerify()
  expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS, paidAmount: `${PRICE}` })
})

it('an order that does not allow partial payments needs a decision at once', async () => {
  const { order } = await refunds.underpay()
  expect(await get(order)).toMatchObject({ partialPayments: false, paidAmount: `${HALF}` })
  await expect(orderFixture.pay(order, newHash())).rejects.toMatchObject({ reason: 'ORDER_NOT_PAYABLE' })
})

describe('a buyer who cheats', () => {
  it('one payment is a part of one order, although two orders report it and two processes check them at once', async () => {
    const listing = await list()
    const place = () => orderFixture.order(listing, { recipient: buyer, partialPayments: true })
    const pair = [await place(), await place()] as const
    const half = await report(pair[0], HALF)
    await orderFixture.pay(pair[1], half)
    await fixture.chain.client.mine({ blocks: 2 })
    const second = createOrderFixture(project, { chains: fixture.chains })
    await Promise.all([orderFixture.verify(), second.verify()])
    await orderFixture.verify()
    const paid = await Promise.all(pair.map(async (each) => (await get(each)).paidAmount))
    expect(paid.toSorted()).toEqual(['0', `${HALF}`])
    // The rest of the price of both completes the one that has the half.
    for (const order of pair) await report(order, HALF)
    await mineAndVerify()
    await orderFixture.verify()
    const statuses = await Promise.all(pair.map(async (each) => (await get(each)).orderStatus))
    expect(statuses.toSorted()).toEqual([OrderStatus.SUCCESS, OrderStatus.FAILED])
  })

  it('a payment that covers a cheaper order of the same buyer is no part of a dearer one', async () => {
    const dear = await placeOrder()
    const cheap = await refunds.placeOrder({ payPrice: HALF })
    const half = await report(dear, HALF)
    await orderFixture.pay(cheap, half)
    await mineAndVerify()
    await orderFixture.verify()
    await orderFixture.verify()
    expect(await get(cheap)).toMatchObject({ orderStatus: OrderStatus.SUCCESS })
    expect(await get(dear)).toMatchObject({ paidAmount: '0' })
  })

  it('the same payment reported twice is counted once', async () => {
    const order = await placeOrder()
    const half = await pay(order, HALF)
    await orderFixture.pay(order, half)
    await orderFixture.pay(order, half.toUpperCase().replace('0X', '0x'))
    await mineAndVerify()
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.IN_PROGRESS, paidAmount: `${HALF}` })
  })
})

describe('a reorganization', () => {
  const reorganize = (depth: number) =>
    fixture.chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)

  it('that removes a part makes the paid order UNRESOLVED', async () => {
    const order = await placeOrder()
    await pay(order, HALF)
    await pay(order, HALF)
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.SUCCESS })
    await reorganize(6)
    await mineAndVerify()
    await orderFixture.verify()
    expect(await orderFixture.readState(order)).toMatchObject({ status: 'UNRESOLVED', reason: 'reorganized' })
  })

  it('that removes a part while the order waits does not count the part any longer', async () => {
    const order = await placeOrder()
    await pay(order, HALF)
    await reorganize(5)
    await pay(order, HALF)
    expect(await get(order)).toMatchObject({ orderStatus: OrderStatus.IN_PROGRESS })
  })
})
