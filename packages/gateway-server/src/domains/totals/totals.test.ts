import { type DailyTotals, dailyTotals } from '@mintmark/admin'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTotals, eventSources, findInventory } from '../../main/composition.ts'
import { createCardClient } from '../../testing/cards.ts'
import { createListing } from '../../testing/create-listing.ts'
import { sequenceEvents } from '../../testing/event-streams.ts'
import { blockHashOf } from '../../testing/fake-payment-chain.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { createOrderFixture, newHash } from '../../testing/order-fixture.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import { addAuditEntries } from '../audit/add-entries.ts'
import { sequenceAllChanges, sequenceChanges } from '../events/sequencer.ts'
import { resolveOrder } from '../orders/verification/operator.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

/** What the sequencer needs. Its log fails the test. */
const sequencer = () => ({
  db: gateway.owner.system,
  sources: eventSources,
  addAuditEntries,
  addTotals,
  publicUrl: TEST_URL,
  log: {
    error: (fields: { err?: unknown }) => {
      throw fields.err
    },
  },
})

async function newProject(): Promise<SampleProject> {
  return await sampleProject(gateway, newAddress())
}

/** Places an order. */
async function placeOrder(project: SampleProject, payPrice = '5'): Promise<string> {
  const { marketType, id: listingId } = await createListing(project, { payPrice })
  const place = { marketType, listingId, quantity: 1, recipient: newAddress() }
  return (await orders.preOrder(project.client, place)).orderNo
}

/** Records that an order is paid. */
async function payOrder({ gateway, projectId }: SampleProject, orderNo: string): Promise<void> {
  await sql`update gateway.orders set status = 2 where project_id = ${projectId} and order_no = ${orderNo}`.execute(
    gateway.owner.system,
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** What happened on all days together: midnight may pass during a test. */
const counts = ({ ordersPlaced, ordersPaid, scansAccepted, scansRefused }: DailyTotals) =>
  [ordersPlaced, ordersPaid, scansAccepted, scansRefused].map(sum)

it('the totals of a project count what was placed, paid and scanned today, and add up each token by itself', async () => {
  const project = await newProject()
  const paid = [await placeOrder(project, '5'), await placeOrder(project, '123456789012345678901')]
  await placeOrder(project)
  for (const orderNo of paid) await payOrder(project, orderNo)
  const cards = createCardClient(gateway, project.key)
  const { id } = await cards.create('promoCodeCards', { totalIssued: 1 })
  await cards.verify('promoCodeCards', { id })
  await cards.verify('promoCodeCards', { id })
  await sequenceEvents(gateway)
  const totals = await dailyTotals.get(project.client, { days: 3 })
  expect(counts(totals)).toEqual([3, 2, 1, 1])
  expect(totals.days).toHaveLength(3)
  expect(totals.revenue).toMatchObject([{ orders: 2, total: '123456789012345678906' }])
  const amounts = totals.revenue[0]?.amounts.map(BigInt)
  expect(amounts?.reduce((total, amount) => total + amount)).toBe(123456789012345678906n)
})

it('the totals of a project count each event once although transactions of the sequencer fail', async () => {
  const project = await newProject()
  await payOrder(project, await placeOrder(project))
  const failing = {
    ...sequencer(),
    addTotals: async (...parameters: Parameters<typeof addTotals>) => {
      await addTotals(...parameters)
      throw new Error('the process ends')
    },
  }
  await expect(sequenceChanges(failing)).rejects.toThrow('the process ends')
  expect(counts(await dailyTotals.get(project.client, {}))).toEqual([0, 0, 0, 0])
  await Promise.all([1, 2, 3].map(() => sequenceAllChanges(sequencer())))
  await sequenceAllChanges(sequencer())
  expect(counts(await dailyTotals.get(project.client, {}))).toEqual([1, 1, 0, 0])
})

it('the totals of a project are those of one project', async () => {
  const [project, other] = [await newProject(), await newProject()]
  await placeOrder(project)
  await sequenceEvents(gateway)
  expect(counts(await dailyTotals.get(other.client, {}))).toEqual([0, 0, 0, 0])
})

it('the totals of a project cannot be written by calls', async () => {
  const { rows } = await sql<{ may: boolean }>`
      select has_table_privilege('mintmark_gateway', 'gateway.totals', 'insert, update, delete') as may`.execute(
    gateway.owner.system,
  )
  expect(rows).toEqual([{ may: false }])
})

describe('an order whose payment a reorganization removes', () => {
  /** Places and pays an order of 1000. `reorganize` removes the payment, `resolve` is an operator's decision. */
  async function payInBlock(project: SampleProject) {
    const orderFixture = createOrderFixture(project)
    const order = await orderFixture.order(await createListing(project))
    const hash = newHash()
    gateway.chain.block += 10
    const block = gateway.chain.block - 5
    gateway.chain.sightings.set(hash, {
      kind: 'mined',
      block,
      blockHash: blockHashOf(gateway.chain, block),
      final: true,
      outcome: 'paid',
    })
    await orderFixture.pay(order, hash)
    await orderFixture.verify()
    expect(await orderFixture.readState(order)).toMatchObject({ status: 'SUCCESS' })
    await sequenceEvents(gateway)
    const reorganize = async () => {
      gateway.chain.blockHashes.set(block, newHash())
      gateway.chain.sightings.set(hash, { kind: 'unseen' })
      await orderFixture.verify()
      expect(await orderFixture.readState(order)).toMatchObject({ status: 'UNRESOLVED' })
      await sequenceEvents(gateway)
    }
    const resolve = async (event: 'resolved_success' | 'resolved_failed') => {
      const decision = { orderNo: order.orderNo, event, actor: 'Ada', reason: 'a test' }
      await resolveOrder(gateway.owner.system, findInventory, decision)
      await sequenceEvents(gateway)
    }
    return { order, reorganize, resolve }
  }

  /** What was paid on all days together: the number of orders, and the revenue. */
  async function readPaid({ client }: SampleProject) {
    const { ordersPaid, revenue } = await dailyTotals.get(client, {})
    return [sum(ordersPaid), revenue.map(({ orders, total }) => [orders, total])]
  }

  it('an order whose payment a reorganization removes counts again, and once, when an operator resolves it as successful', async () => {
    const project = await newProject()
    const { reorganize, resolve } = await payInBlock(project)
    expect(await readPaid(project)).toEqual([1, [[1, '1000']]])
    await reorganize()
    expect(await readPaid(project)).toEqual([0, []])
    await resolve('resolved_success')
    expect(await readPaid(project)).toEqual([1, [[1, '1000']]])
  })

  it('an order whose payment a reorganization removes does not count when an operator resolves it as failed', async () => {
    const project = await newProject()
    await payInBlock(project)
    const { reorganize, resolve } = await payInBlock(project)
    expect(await readPaid(project)).toEqual([2, [[2, '2000']]])
    await reorganize()
    await resolve('resolved_failed')
    expect(await readPaid(project)).toEqual([1, [[1, '1000']]])
  })

  it('an order whose payment a reorganization removes is taken back from the day on which it was paid', async () => {
    const project = await newProject()
    const { projectId: id } = project
    const { reorganize } = await payInBlock(project)
    const db = gateway.owner.system
    await sql`update gateway.totals set period = period - interval '2 days' where project_id = ${id}`.execute(
      db,
    )
    await sql`update gateway.order_events set created_at = created_at - interval '2 days' where project_id = ${id}`.execute(
      db,
    )
    await reorganize()
    const { ordersPaid } = await dailyTotals.get(project.client, { days: 5 })
    expect(ordersPaid).toEqual([0, 0, 0, 0, 0])
  })
})

describe('the days of totals', () => {
  /** Adds orders that were placed at given times. */
  async function addOrders(project: number, times: readonly number[]): Promise<void> {
    const events = times.map((time) => ({
      project,
      type: 'order.created',
      subject: 'order/1',
      data: {},
      occurredAt: new Date(time).toISOString(),
    }))
    await gateway.owner.system.transaction().execute((trx) => addTotals(trx, events))
  }

  it.each([
    ['Asia/Kolkata', '+05:30'],
    ['Asia/Kathmandu', '+05:45'],
    ['UTC', 'Z'],
  ])('the days of totals begin at midnight in %s', async (timeZone, offset) => {
    const { projectId, client } = await newProject()
    const [, day = ''] = (await dailyTotals.get(client, { days: 3, timeZone })).days
    const midnight = Date.parse(`${day}T00:00:00${offset}`)
    await addOrders(projectId, [midnight - 1, midnight, midnight])
    // Another midnight may have passed.
    const { days, ordersPlaced } = await dailyTotals.get(client, { days: 4, timeZone })
    const index = days.indexOf(day)
    expect(ordersPlaced.slice(index - 1, index + 1)).toEqual([1, 2])
  })

  it('the days of totals have 23 and 25 hours when clocks change', async () => {
    const { projectId, client } = await newProject()
    const hours = Array.from({ length: 370 * 24 }, (_, hour) => Date.now() - hour * 3_600_000)
    await addOrders(projectId, hours)
    const { ordersPlaced } = await dailyTotals.get(client, { days: 366, timeZone: 'Europe/Berlin' })
    const ofWholeDays = ordersPlaced.slice(0, -1)
    const countOf = (length: number) => ofWholeDays.filter((orders) => orders === length).length
    expect([countOf(23), countOf(24), countOf(25)]).toEqual([1, 363, 1])
  })

  it('the days of totals are at most 366, in a time zone that exists', async () => {
    const { client } = await newProject()
    await expect(dailyTotals.get(client, { days: 367 })).rejects.toThrow('days')
    await expect(dailyTotals.get(client, { timeZone: 'Mars/Olympus' })).rejects.toThrow('timeZone')
    await expect(dailyTotals.get(client, { timeZone: 'Mars5' })).rejects.toThrow('timeZone')
    await expect(dailyTotals.get(client, { timeZone: '+05:30' })).rejects.toThrow('timeZone')
  })
})
