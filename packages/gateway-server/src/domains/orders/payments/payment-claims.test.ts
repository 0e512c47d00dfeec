import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createListing } from '../../../testing/create-listing.ts'
import { newHash } from '../../../testing/order-fixture.ts'
import { createOrder, orderLike, PRICE, payToken } from '../../../testing/payment-cases.ts'
import {
  createSecondOrderFixture,
  type PaymentFixture,
  paymentFixture,
} from '../../../testing/payment-fixture.ts'
import { getSharedPayments, logSharedPayments } from './shared-payments.ts'

let fixture: PaymentFixture
beforeAll(async () => {
  fixture = await paymentFixture()
})
afterAll(() => fixture?.close())

const attacker = devAccount(7).address.toLowerCase()

/** Puts ten of another seller on the shelf and orders one of them as the attacker. */
async function anAttackersOrder(): Promise<Order> {
  const { order } = await createOrder(fixture, { recipient: attacker })
  return order
}

/** Schedules this order for the verifier, or unschedules it. */
async function setDue({ orderNo }: Order, due: boolean): Promise<void> {
  const change = due
    ? sql`insert into gateway.order_checks
        select project_id, id, clock_timestamp() from gateway.orders where order_no = ${orderNo}`
    : sql`delete from gateway.order_checks
        where order_id = (select id from gateway.orders where order_no = ${orderNo})`
  await change.execute(fixture.gateway.owner.system)
}

/** Verifies all other orders that are due, and then this one. */
async function verifyLast(order: Order): Promise<void> {
  await setDue(order, false)
  await fixture.mineAndVerify()
  await setDue(order, true)
  await fixture.orderFixture.verify()
  await fixture.orderFixture.verify()
}

/** Returns when the verifier reads the order's transactions next, in milliseconds since the epoch. */
async function getDue({ orderNo }: Order): Promise<number> {
  const check = await fixture.gateway.owner.system
    .selectFrom('gateway.order_checks as c')
    .innerJoin('gateway.orders as o', 'o.id', 'c.order_id')
    .select('c.due_at')
    .where('o.order_no', '=', orderNo)
    .executeTakeFirst()
  return check?.due_at.getTime() ?? 0
}

/** Two orders claim a payment, and the verifier reads the one that it fits less well first. */
async function settleWithDecoyFirst(order: Order, decoy: Order): Promise<void> {
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(decoy, hash)
  await fixture.orderFixture.pay(order, hash)
  await setDue(order, false)
  await fixture.mineAndVerify()
  expect(await fixture.orderFixture.readState(decoy)).toMatchObject({
    status: 'IN_PROGRESS',
    stock: 'reserved',
  })
  await setDue(order, true)
  await fixture.orderFixture.verify()
  await fixture.orderFixture.verify()
}

const sold = { status: 'SUCCESS', reason: '', stock: 'committed', listing: [9, 0, 1] }
const released = { stock: 'released', listing: [10, 0, 0] }

it("a buyer's payment counts for the order it pays after an attacker has reported its hash for an order of another seller", async () => {
  const { order } = await createOrder(fixture)
  const theirs = await anAttackersOrder()
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(theirs, hash)
  await fixture.orderFixture.pay(order, hash)
  await fixture.mineAndVerify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.orderFixture.readState(theirs)).toMatchObject({ status: 'FAILED', ...released })
})

it("a buyer's payment counts for the order it pays after an attacker has reported its hash for an order that the attacker has cancelled", async () => {
  const { order } = await createOrder(fixture)
  const theirs = await anAttackersOrder()
  await orders.cancel(fixture.project.client, { orderNo: theirs.orderNo })
  const hash = await payToken(fixture, order)
  await expect(fixture.orderFixture.pay(theirs, hash)).rejects.toMatchObject({ code: 40901 })
  await fixture.orderFixture.pay(order, hash)
  await fixture.mineAndVerify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.orderFixture.readState(theirs)).toMatchObject({ status: 'CANCELLED', ...released })
})

it("a buyer's payment counts for the order it pays after an attacker has reported its hash for an order of the same seller", async () => {
  const { listing, order } = await createOrder(fixture)
  const theirs = await fixture.orderFixture.order(listing, { recipient: attacker, quantity: 3 })
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(theirs, hash)
  await fixture.mineAndVerify()
  await fixture.orderFixture.pay(order, hash)
  await fixture.orderFixture.verify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject({ ...sold, listing: [9, 0, 1] })
  expect(await fixture.orderFixture.readState(theirs)).toMatchObject({
    status: 'FAILED',
    stock: 'released',
  })
})

it("a buyer's payment counts for the order it pays after an attacker has reported its hash in another project", async () => {
  const { order } = await createOrder(fixture)
  const listing = await createListing(fixture.other.project, { payTokenAddress: fixture.chain.token })
  const theirs = await fixture.other.orderFixture.order(listing, { recipient: attacker })
  const hash = await payToken(fixture, order)
  await fixture.other.orderFixture.pay(theirs, hash)
  await fixture.mineAndVerify()
  await fixture.orderFixture.pay(order, hash)
  await fixture.orderFixture.verify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.other.orderFixture.readState(theirs)).toMatchObject({
    status: 'FAILED',
    ...released,
  })
})

it("a buyer's payment counts for the order it pays after another project has counted it for an order of 1 wei between the same wallets, and both are reported", async () => {
  const { order } = await createOrder(fixture)
  const theirs = await orderLike({ ...fixture, ...fixture.other }, order, { payPrice: '1' })
  const hash = await payToken(fixture, order)
  await fixture.other.orderFixture.pay(theirs, hash)
  await fixture.mineAndVerify()
  expect(await fixture.other.orderFixture.readState(theirs)).toMatchObject({ status: 'SUCCESS' })
  await fixture.orderFixture.pay(order, hash)
  await fixture.orderFixture.verify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.other.orderFixture.readState(theirs)).toMatchObject({ status: 'SUCCESS' })

  const alerts = fixture.orderFixture.alerts.map((line) => JSON.parse(line))
  expect(alerts.filter((line) => line.alert === 'payment' && line.hash === hash)).toEqual([
    expect.objectContaining({ msg: 'Orders of several projects count the same payment' }),
  ])
  expect(await getSharedPayments(fixture.gateway.database.system)).toBe(1)
  const warn = vi.fn()
  await logSharedPayments(fixture.gateway.database, { warn })
  expect(warn.mock.calls).toEqual([
    [{ alert: 'payment', count: 1 }, 'Orders of several projects count the same payment'],
  ])
  for (const [{ project }, { orderNo }] of [
    [fixture, theirs],
    [fixture.other, order],
  ] as const)
    await expect(orders.get(project.client, { orderNo })).rejects.toMatchObject({ code: 404 })
})

it("a buyer's payment counts for the order it pays when it is reported for an order that has expired meanwhile", async () => {
  const { order } = await createOrder(fixture)
  const theirs = await anAttackersOrder()
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(theirs, hash)
  await fixture.orderFixture.expire(order)
  await fixture.orderFixture.verify()
  await expect(fixture.orderFixture.pay(order, hash)).rejects.toMatchObject({ code: 40901 })
  await fixture.mineAndVerify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
})

it("a buyer's payment counts for the order it pays when it is reported under an Idempotency-Key after the order has expired", async () => {
  const { order } = await createOrder(fixture)
  const { orderNo, recipient } = order
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.expire(order)
  const report = orders.payOrder(
    fixture.project.client,
    { orderNo, recipient, hash },
    { idempotencyKey: hash },
  )
  await expect(report).rejects.toMatchObject({ code: 40901 })
  await fixture.mineAndVerify()
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
})

it('one payment that two orders claim pays one of two equal orders, and releases the stock of the other', async () => {
  const { listing, order } = await createOrder(fixture)
  const second = await fixture.orderFixture.order(listing, { recipient: order.recipient })
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(second, hash)
  await fixture.orderFixture.pay(order, hash)
  await fixture.chain.client.mine({ blocks: 2 })
  const processes = [
    fixture.orderFixture,
    createSecondOrderFixture(fixture),
    createSecondOrderFixture(fixture),
  ]
  await Promise.all(processes.map((orderFixture) => orderFixture.verify()))
  await fixture.orderFixture.verify()
  const ends = [await fixture.orderFixture.readState(order), await fixture.orderFixture.readState(second)]
  expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCESS'])
  expect(ends.find(({ status }) => status === 'FAILED')).toMatchObject({
    reason: 'payment_used',
    stock: 'released',
  })
  expect(ends[0]?.listing).toEqual([9, 0, 1])
})

it('one payment that two orders claim pays the earlier of two equal orders, whichever was reported first', async () => {
  const { listing, order } = await createOrder(fixture)
  const decoy = await fixture.orderFixture.order(listing, { recipient: order.recipient })
  await settleWithDecoyFirst(order, decoy)
  expect(await fixture.orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS' })
  expect(await fixture.orderFixture.readState(decoy)).toMatchObject({
    status: 'FAILED',
    reason: 'payment_used',
  })
})

it('one payment that two orders claim pays the dearer order, and not one of a cheap listing that somebody made for the same buyer', async () => {
  const { order } = await createOrder(fixture)
  const cheap = await orderLike(fixture, order, { payPrice: '1' })
  await settleWithDecoyFirst(order, cheap)
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.orderFixture.readState(cheap)).toMatchObject({
    status: 'FAILED',
    reason: 'payment_used',
    ...released,
  })
})

it('one payment that two orders claim pays the order in progress, and not an earlier one for the same price that has ended', async () => {
  const { order: ended } = await createOrder(fixture)
  await orders.cancel(fixture.project.client, { orderNo: ended.orderNo })
  const order = await orderLike(fixture, ended, { payPrice: PRICE.toString() })
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(order, hash)
  await expect(fixture.orderFixture.pay(ended, hash)).rejects.toMatchObject({ code: 40901 })
  await verifyLast(order)
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.orderFixture.readState(ended)).toMatchObject({ status: 'CANCELLED', ...released })
})

it('one payment that two orders claim is refused for a further order once it counts', async () => {
  const { listing, order } = await createOrder(fixture)
  const hash = await payToken(fixture, order)
  await fixture.orderFixture.pay(order, hash)
  await fixture.mineAndVerify()
  const second = await fixture.orderFixture.order(listing, { recipient: order.recipient })
  await expect(fixture.orderFixture.pay(second, hash)).rejects.toMatchObject({ code: 40903 })
  expect(await fixture.orderFixture.readState(second)).toMatchObject({ status: 'PRE', listing: [8, 1, 1] })
})

it('one payment that two orders claim is verified once when several processes read the order at the same time', async () => {
  const { order } = await createOrder(fixture)
  await fixture.orderFixture.pay(order, await payToken(fixture, order))
  await fixture.chain.client.mine({ blocks: 2 })
  const processes = [
    fixture.orderFixture,
    createSecondOrderFixture(fixture),
    createSecondOrderFixture(fixture),
  ]
  await Promise.all([...processes, ...processes].map((orderFixture) => orderFixture.verify()))
  expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
  expect(await fixture.orderFixture.events(order)).toEqual(['reported', 'paid'])
})

describe('a payment that an order cannot use', () => {
  it('a payment that an order cannot use pays an order in progress, although a paid order of the same buyer claims it as a further payment', async () => {
    const { order: earlier } = await createOrder(fixture)
    await fixture.orderFixture.pay(earlier, await payToken(fixture, earlier))
    await fixture.mineAndVerify()
    const order = await orderLike(fixture, earlier, { payPrice: PRICE.toString() })
    const hash = await payToken(fixture, order)
    await fixture.orderFixture.pay(order, hash)
    await expect(fixture.orderFixture.pay(earlier, hash)).rejects.toMatchObject({ code: 40901 })
    await verifyLast(order)
    expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
    expect(await orders.get(fixture.project.client, { orderNo: earlier.orderNo })).toMatchObject({
      orderStatus: 2,
      refundDue: false,
    })
  })

  it('a payment that an order cannot use pays an order in progress, although one of the same buyer that has nothing left claims it first', async () => {
    const { listing, order: late } = await createOrder(fixture)
    await fixture.orderFixture.expire(late)
    await fixture.orderFixture.verify()
    await fixture.orderFixture.order(listing, { recipient: devAccount(5).address, quantity: 10 })
    const order = await orderLike(fixture, late, { payPrice: '1' })
    const hash = await payToken(fixture, order)
    await fixture.orderFixture.pay(order, hash)
    await expect(fixture.orderFixture.pay(late, hash)).rejects.toMatchObject({ code: 40901 })
    await verifyLast(order)
    expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
    expect(await orders.get(fixture.project.client, { orderNo: late.orderNo })).toMatchObject({
      orderStatus: 5,
      refundDue: false,
    })
  })

  it('a payment that an order cannot use pays an order in progress, although it is too small for one of the same buyer that claims it first', async () => {
    const { order: dear } = await createOrder(fixture)
    const order = await orderLike(fixture, dear, { payPrice: '1' })
    const hash = await payToken(fixture, dear, PRICE - 1n)
    await fixture.orderFixture.pay(dear, hash)
    await fixture.orderFixture.pay(order, hash)
    await verifyLast(order)
    expect(await fixture.orderFixture.readState(order)).toMatchObject(sold)
    expect(await fixture.orderFixture.readState(dear)).toMatchObject({
      status: 'FAILED',
      reason: 'payment_used',
      ...released,
    })
  })

  it('a payment that an order cannot use counts for no other order once it is due to be paid back', async () => {
    const { listing, order: late } = await createOrder(fixture)
    await fixture.orderFixture.expire(late)
    await fixture.orderFixture.verify()
    await fixture.orderFixture.order(listing, { recipient: devAccount(5).address, quantity: 10 })
    const other = await orderLike(fixture, late, { payPrice: '1' })
    const hash = await payToken(fixture, late)
    await expect(fixture.orderFixture.pay(late, hash)).rejects.toMatchObject({ code: 40901 })
    await fixture.mineAndVerify()
    expect(await orders.get(fixture.project.client, { orderNo: late.orderNo })).toMatchObject({
      orderStatus: 6,
      refundDue: true,
    })
    await expect(fixture.orderFixture.pay(other, hash)).rejects.toMatchObject({ code: 40903 })
    await fixture.orderFixture.verify()
    expect(await fixture.orderFixture.readState(other)).toMatchObject({ status: 'PRE' })
  })
})

describe('a payment that is too small', () => {
  it('a payment that is too small keeps the stock of one order, however many orders claim it', async () => {
    const { listing, order } = await createOrder(fixture)
    const second = await fixture.orderFixture.order(listing, { recipient: order.recipient, quantity: 4 })
    const hash = await payToken(fixture, order, PRICE - 1n)
    await fixture.orderFixture.pay(order, hash)
    await fixture.orderFixture.pay(second, hash)
    await fixture.mineAndVerify()
    await fixture.orderFixture.verify()
    const ends = [await fixture.orderFixture.readState(order), await fixture.orderFixture.readState(second)]
    expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'UNRESOLVED'])
    expect(ends.find(({ status }) => status === 'FAILED')).toMatchObject({ stock: 'released' })
  })
})

it('checks an order with twenty transactions that no node knows less often than one with a single one', async () => {
  const { listing, order } = await createOrder(fixture)
  const second = await fixture.orderFixture.order(listing, { recipient: attacker })
  await fixture.orderFixture.pay(order, newHash())
  for (let count = 0; count < 20; count += 1) await fixture.orderFixture.pay(second, newHash())
  await fixture.orderFixture.verify()
  expect((await getDue(second)) - (await getDue(order))).toBeGreaterThan(10_000)
})
