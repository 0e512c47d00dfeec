import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { devAccount } from '../../../../../../tools/devchain/accounts.ts'
import { aListing } from '../../../testing/create-listing.ts'
import { anOrder, orderLike, PRICE, payToken } from '../../../testing/payment-cases.ts'
import { anotherDesk, type PaymentFixture, paymentFixture } from '../../../testing/payment-fixture.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let bed: PaymentFixture
beforeAll(async () => {
  bed = await paymentFixture()
})
afterAll(() => bed?.close())

const attacker = devAccount(7).address.toLowerCase()

/** Puts ten of another seller on the shelf and orders one of them as the attacker. */
async function anAttackersOrder(): Promise<Order> {
  const { order } = await anOrder(bed, { recipient: attacker })
  return order
}

/** Lets the verifier read this order, or leave it alone. */
async function setDue({ orderNo }: Order, due: boolean): Promise<void> {
  await bed.gateway.owner.system
    .updateTable('gateway.orders')
    .set({ due_at: due ? sql<Date>`clock_timestamp()` : null })
    .where('order_no', '=', orderNo)
    .execute()
}

/** Two orders claim a payment, and the verifier reads the one that it fits less well first. */
async function settleWithDecoyFirst(order: Order, decoy: Order): Promise<void> {
  const hash = await payToken(bed, order)
  await bed.desk.pay(decoy, hash)
  await bed.desk.pay(order, hash)
  await setDue(order, false)
  await bed.mineAndVerify()
  expect(await bed.desk.see(decoy)).toMatchObject({ status: 'IN_PROGRESS', stock: 'held' })
  await setDue(order, true)
  await bed.desk.verify()
  await bed.desk.verify()
}

const sold = { status: 'SUCCESS', reason: '', stock: 'taken', listing: [9, 0, 1] }
const released = { stock: 'released', listing: [10, 0, 0] }

describe("a buyer's payment counts for the order it pays", () => {
  it('after an attacker has reported its hash for an order of another seller', async () => {
    const { order } = await anOrder(bed)
    const theirs = await anAttackersOrder()
    const hash = await payToken(bed, order)
    await bed.desk.pay(theirs, hash)
    await bed.desk.pay(order, hash)
    await bed.mineAndVerify()
    expect(await bed.desk.see(order)).toMatchObject(sold)
    expect(await bed.desk.see(theirs)).toMatchObject({ status: 'FAILED', ...released })
  })

  it('after an attacker has reported its hash for an order that the attacker has cancelled', async () => {
    const { order } = await anOrder(bed)
    const theirs = await anAttackersOrder()
    await orders.cancel(bed.project.client, { orderNo: theirs.orderNo })
    const hash = await payToken(bed, order)
    await expect(bed.desk.pay(theirs, hash)).rejects.toMatchObject({ code: 40901 })
    await bed.desk.pay(order, hash)
    await bed.mineAndVerify()
    expect(await bed.desk.see(order)).toMatchObject(sold)
    expect(await bed.desk.see(theirs)).toMatchObject({ status: 'CANCELLED', ...released })
  })

  it('after an attacker has reported its hash for an order of the same seller', async () => {
    const { listing, order } = await anOrder(bed)
    const theirs = await bed.desk.order(listing, { recipient: attacker, quantity: 3 })
    const hash = await payToken(bed, order)
    await bed.desk.pay(theirs, hash)
    await bed.mineAndVerify()
    await bed.desk.pay(order, hash)
    await bed.desk.verify()
    expect(await bed.desk.see(order)).toMatchObject({ ...sold, listing: [9, 0, 1] })
    expect(await bed.desk.see(theirs)).toMatchObject({ status: 'FAILED', stock: 'released' })
  })

  it('after an attacker has reported its hash in another project', async () => {
    const { order } = await anOrder(bed)
    const listing = await aListing(bed.other.project, { payTokenAddress: bed.chain.token })
    const theirs = await bed.other.desk.order(listing, { recipient: attacker })
    const hash = await payToken(bed, order)
    await bed.other.desk.pay(theirs, hash)
    await bed.mineAndVerify()
    await bed.desk.pay(order, hash)
    await bed.desk.verify()
    expect(await bed.desk.see(order)).toMatchObject(sold)
    expect(await bed.other.desk.see(theirs)).toMatchObject({ status: 'FAILED', ...released })
  })

  it('when it is reported for an order that has expired meanwhile', async () => {
    const { order } = await anOrder(bed)
    const theirs = await anAttackersOrder()
    const hash = await payToken(bed, order)
    await bed.desk.pay(theirs, hash)
    await bed.desk.outwait(order)
    await bed.desk.verify()
    await expect(bed.desk.pay(order, hash)).rejects.toMatchObject({ code: 40901 })
    await bed.mineAndVerify()
    expect(await bed.desk.see(order)).toMatchObject(sold)
  })
})

describe('one payment that two orders claim', () => {
  it('pays one of two equal orders, and releases the stock of the other', async () => {
    const { listing, order } = await anOrder(bed)
    const second = await bed.desk.order(listing, { recipient: order.recipient })
    const hash = await payToken(bed, order)
    await bed.desk.pay(second, hash)
    await bed.desk.pay(order, hash)
    await bed.chain.client.mine({ blocks: 2 })
    const processes = [bed.desk, anotherDesk(bed), anotherDesk(bed)]
    await Promise.all(processes.map((desk) => desk.verify()))
    await bed.desk.verify()
    const ends = [await bed.desk.see(order), await bed.desk.see(second)]
    expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCESS'])
    expect(ends.find(({ status }) => status === 'FAILED')).toMatchObject({
      reason: 'payment_used',
      stock: 'released',
    })
    expect(ends[0]?.listing).toEqual([9, 0, 1])
  })

  it('pays the earlier of two equal orders, whichever was reported first', async () => {
    const { listing, order } = await anOrder(bed)
    const decoy = await bed.desk.order(listing, { recipient: order.recipient })
    await settleWithDecoyFirst(order, decoy)
    expect(await bed.desk.see(order)).toMatchObject({ status: 'SUCCESS' })
    expect(await bed.desk.see(decoy)).toMatchObject({ status: 'FAILED', reason: 'payment_used' })
  })

  it('pays the dearer order, and not one of a cheap listing that somebody made for the same buyer', async () => {
    const { order } = await anOrder(bed)
    const cheap = await orderLike(bed, order, { payPrice: '1' })
    await settleWithDecoyFirst(order, cheap)
    expect(await bed.desk.see(order)).toMatchObject(sold)
    expect(await bed.desk.see(cheap)).toMatchObject({ status: 'FAILED', reason: 'payment_used', ...released })
  })

  it('is refused for a further order once it counts', async () => {
    const { listing, order } = await anOrder(bed)
    const hash = await payToken(bed, order)
    await bed.desk.pay(order, hash)
    await bed.mineAndVerify()
    const second = await bed.desk.order(listing, { recipient: order.recipient })
    await expect(bed.desk.pay(second, hash)).rejects.toMatchObject({ code: 40903 })
    expect(await bed.desk.see(second)).toMatchObject({ status: 'PRE', listing: [8, 1, 1] })
  })

  it('is verified once when several processes read the order at the same time', async () => {
    const { order } = await anOrder(bed)
    await bed.desk.pay(order, await payToken(bed, order))
    await bed.chain.client.mine({ blocks: 2 })
    const processes = [bed.desk, anotherDesk(bed), anotherDesk(bed)]
    await Promise.all([...processes, ...processes].map((desk) => desk.verify()))
    expect(await bed.desk.see(order)).toMatchObject(sold)
    expect(await bed.desk.events(order)).toEqual(['reported', 'paid'])
  })
})

describe('a payment that is too small', () => {
  it('keeps the stock of one order, however many orders claim it', async () => {
    const { listing, order } = await anOrder(bed)
    const second = await bed.desk.order(listing, { recipient: order.recipient, quantity: 4 })
    const hash = await payToken(bed, order, PRICE - 1n)
    await bed.desk.pay(order, hash)
    await bed.desk.pay(second, hash)
    await bed.mineAndVerify()
    await bed.desk.verify()
    const ends = [await bed.desk.see(order), await bed.desk.see(second)]
    expect(ends.map(({ status }) => status).sort()).toEqual(['FAILED', 'UNRESOLVED'])
    expect(ends.find(({ status }) => status === 'FAILED')).toMatchObject({ stock: 'released' })
  })
})
