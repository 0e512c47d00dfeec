import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findInventory } from '../../../main/composition.ts'
import { createListing } from '../../../testing/create-listing.ts'
import { blockHashOf } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import type { SampleProject } from '../../../testing/samples/sample.ts'
import { resolveOrder } from './operator.ts'
import { listStuckOrders } from './stuck-orders.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'operators')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

const mined = (outcome: 'paid' | 'not_enough') => ({
  kind: 'mined' as const,
  block: 101,
  blockHash: blockHashOf(gateway.chain, 101),
  final: true,
  outcome,
})

/** An order of two of ten whose payment was too little. */
async function anUnresolved() {
  const order = await orderFixture.order(await createListing(project), { quantity: 2 })
  const hash = newHash()
  gateway.chain.sightings.set(hash, mined('not_enough'))
  await orderFixture.pay(order, hash)
  await orderFixture.verify()
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'UNRESOLVED', listing: [8, 2, 0] })
  return { order, hash }
}

const resolve = (orderNo: string, event: 'resolved_success' | 'resolved_failed', more: object = {}) =>
  resolveOrder(gateway.owner.system, findInventory, {
    orderNo,
    event,
    actor: 'Ada',
    reason: 'the rest came by bank',
    ...more,
  })

it('lists the orders that need an operator, with their reported transactions and outcomes', async () => {
  const { order, hash } = await anUnresolved()
  const waits = await orderFixture.order(await createListing(project))
  const stuck = await listStuckOrders(gateway.owner.system, 60)
  expect(stuck.find(({ orderNo }) => orderNo === order.orderNo)).toMatchObject({
    projectId: project.projectId,
    status: 'UNRESOLVED',
    reason: 'not_enough',
    refundDue: false,
    payments: [{ hash, outcome: 'not_enough' }],
  })
  expect(stuck.some(({ orderNo }) => orderNo === waits.orderNo)).toBe(false)
})

it('lists orders that have been unfinished for too long', async () => {
  const order = await orderFixture.order(await createListing(project))
  await orderFixture.pay(order, newHash())
  await gateway.owner.system
    .updateTable('gateway.orders')
    .set({ created_at: sql`clock_timestamp() - interval '2 hours'` })
    .where('order_no', '=', order.orderNo)
    .execute()
  const among = async (minutes: number) =>
    (await listStuckOrders(gateway.owner.system, minutes)).some(({ orderNo }) => orderNo === order.orderNo)
  expect([await among(119), await among(121)]).toEqual([true, false])
})

it('resolving an order as success sells it, counts its payment, and records who decided and why', async () => {
  const { order, hash } = await anUnresolved()
  expect(await resolve(order.orderNo, 'resolved_success')).toMatchObject({ status: 'SUCCESS', hash })
  expect(await orderFixture.readState(order)).toMatchObject({
    status: 'SUCCESS',
    stock: 'committed',
    listing: [8, 0, 2],
  })
  const events = await gateway.owner.system
    .selectFrom('gateway.order_events')
    .select(['event', 'actor', 'reason'])
    .where('project_id', '=', project.projectId)
    .where('event', '=', 'resolved_success')
    .execute()
  expect(events).toEqual([{ event: 'resolved_success', actor: 'Ada', reason: 'the rest came by bank' }])
  // The verifier leaves it at that.
  await orderFixture.verify()
  expect((await orders.get(project.client, { orderNo: order.orderNo })).orderStatus).toBe(2)
})

it('resolving an order as failed releases what it had reserved', async () => {
  const { order } = await anUnresolved()
  await resolve(order.orderNo, 'resolved_failed')
  expect(await orderFixture.readState(order)).toMatchObject({
    status: 'FAILED',
    stock: 'released',
    listing: [10, 0, 0],
  })
})

it('refuses to deliver an order whose payment was refunded, and an unknown order', async () => {
  const { order } = await anUnresolved()
  await resolve(order.orderNo, 'resolved_failed')
  await expect(resolve(order.orderNo, 'resolved_success')).rejects.toThrow('No reported transaction is known')
  await expect(resolve('none', 'resolved_failed')).rejects.toThrow('There is no order none')
  await expect(resolve(order.orderNo, 'resolved_failed', { project: 999_999 })).rejects.toThrow('no order')
})

it('refuses to resolve an order by a payment that counts for another order', async () => {
  const { order } = await anUnresolved()
  const paid = await orderFixture.order(await createListing(project))
  const hash = newHash()
  gateway.chain.sightings.set(hash, mined('paid'))
  await orderFixture.pay(paid, hash)
  await orderFixture.verify()
  expect(await orderFixture.readState(paid)).toMatchObject({ status: 'SUCCESS' })
  await expect(resolve(order.orderNo, 'resolved_success', { hash })).rejects.toThrow(
    'counts for another order',
  )
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'UNRESOLVED', listing: [8, 2, 0] })
})

describe('a payment that arrives when the listing is sold out', () => {
  async function tooLate() {
    const listing = await createListing(project, { quantity: 1 })
    const late = await orderFixture.order(listing)
    const hash = newHash()
    await orderFixture.pay(late, hash)
    gateway.chain.sightings.set(hash, { ...mined('paid'), outcome: 'reverted' })
    await orderFixture.verify()
    const other = await orderFixture.order(listing)
    gateway.chain.sightings.set(hash, mined('paid'))
    await orderFixture.verify()
    expect(await orderFixture.readState(late)).toMatchObject({ status: 'UNRESOLVED', reason: 'no_stock' })
    return { late, other, hash }
  }

  it('a payment that arrives when the listing is sold out is refunded by an operator’s decision, and does not revive the order when stock returns', async () => {
    const { late, other } = await tooLate()
    await resolve(late.orderNo, 'resolved_failed')
    await orders.cancel(project.client, { orderNo: other.orderNo })
    await orderFixture.verify()
    await orderFixture.verify()
    expect(await orderFixture.readState(late)).toMatchObject({ status: 'FAILED', listing: [1, 0, 0] })
  })

  it('a payment that arrives when the listing is sold out counts for no other order of the project once it is refunded', async () => {
    const { late, hash } = await tooLate()
    await resolve(late.orderNo, 'resolved_failed')
    const order = await orderFixture.order(await createListing(project))
    await expect(orderFixture.pay(order, hash)).rejects.toMatchObject({ code: 40903 })
  })
})

describe('a payment that a reorganization took away', () => {
  const at = (block: number) => ({ ...mined('paid'), block, blockHash: blockHashOf(gateway.chain, block) })

  async function reorganized() {
    const order = await orderFixture.order(await createListing(project))
    const [first, second] = [newHash(), newHash()]
    gateway.chain.sightings.set(first, at(103))
    await orderFixture.pay(order, first)
    gateway.chain.block = 110
    await orderFixture.verify()
    expect(await orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS' })
    gateway.chain.blockHashes.set(103, newHash())
    gateway.chain.sightings.set(first, { kind: 'unseen' })
    await orderFixture.verify()
    expect(await orderFixture.readState(order)).toMatchObject({ status: 'UNRESOLVED', reason: 'reorganized' })
    return { order, second }
  }

  it('a payment that a reorganization took away raises no second alert once an operator has resolved the order', async () => {
    const { order } = await reorganized()
    await resolve(order.orderNo, 'resolved_success')
    await orderFixture.verify()
    expect(await orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS', listing: [9, 0, 1] })
  })

  it('a payment that a reorganization took away can be replaced by another payment of the same order', async () => {
    const { order, second } = await reorganized()
    expect(await resolve(order.orderNo, 'resolved_success', { hash: second })).toMatchObject({ hash: second })
  })
})

it('the servers’ database role cannot change the events of orders', async () => {
  const db = gateway.database.forProject(project.projectId)
  await anUnresolved()
  await expect(db.deleteFrom('gateway.order_events').execute()).rejects.toThrow(/permission denied/)
  await expect(db.updateTable('gateway.order_events').set({ actor: 'x' }).execute()).rejects.toThrow(
    /permission denied/,
  )
})

it('hides payments from other projects', async () => {
  const other = await sampleProject(gateway, 'elsewhere')
  const seen = await gateway.database
    .forProject(other.projectId)
    .selectFrom('gateway.consumed_payments')
    .selectAll()
    .execute()
  expect(seen).toEqual([])
  const all = await gateway.owner.system.selectFrom('gateway.consumed_payments').selectAll().execute()
  expect(all.length).toBeGreaterThan(0)
})

it('reports the age of the oldest unfinished order of all projects as a gauge', async () => {
  const { rows } = await sql<{ status: number; seconds: number }>`
    select status, seconds from gateway.oldest_unfinished_orders() order by status`.execute(
    gateway.database.system,
  )
  expect(rows.map(({ status }) => status)).toEqual([0, 1, 6])
  expect(rows.find(({ status }) => status === 1)?.seconds).toBeGreaterThan(7000)
})
