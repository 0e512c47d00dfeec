import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTenant } from '../../../database/tenant.ts'
import { addEvents } from '../../../testing/event-streams.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import type { Batch, TypeFilter } from './batch.ts'
import { PlaceLostError, ProjectFeed } from './project-feed.ts'
import { ReadSlots } from './read-slots.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const ALL: TypeFilter = { key: '*', types: undefined }
const ORDERS: TypeFilter = { key: 'order.paid', types: ['order.paid'] }
const never = new AbortController().signal

/** Counts the reads, and runs each when the test allows it. */
class CountingSlots extends ReadSlots {
  count = 0
  gate: Promise<void> = Promise.resolve()

  override async run<Result>(read: () => Promise<Result>): Promise<Result> {
    this.count += 1
    return await super.run(async () => {
      const result = await read()
      await this.gate
      return result
    })
  }
}

let projects = 0
async function createFeed(stored = 0) {
  projects += 1
  const { projectId } = await gateway.newKey({ project: `feed ${projects}` })
  const slots = new CountingSlots(4)
  const feed = new ProjectFeed(openTenant(gateway.database, projectId), slots, stored)
  const add = (count: number, bytes?: number) =>
    addEvents(gateway, projectId, count, { notify: false, ...(bytes !== undefined && { bytes }) })
  if (stored > 0) await add(stored)
  return { feed, slots, add }
}

const rangeOf = ({ after, upTo }: Batch) => [after, upTo]

it('the streams of a project share one read of new events', async () => {
  const { feed, slots, add } = await createFeed()
  const reading = Array.from({ length: 50 }, () => feed.read(0, ALL, never))
  await expect.poll(() => slots.count).toBe(1)
  await add(3)
  feed.wake()
  const batches = await Promise.all(reading)
  expect(new Set(batches).size).toBe(1)
  expect(batches.map(rangeOf)[0]).toEqual([0, 3])
  expect(slots.count).toBeLessThanOrEqual(3)
})

it('the streams of a project share one read of older events from the same place', async () => {
  const { feed, slots } = await createFeed(10)
  const batches = await Promise.all(Array.from({ length: 50 }, () => feed.read(4, ALL, never)))
  expect(new Set(batches).size).toBe(1)
  expect(slots.count).toBe(1)
})

it('the streams of a project receive events that were announced while a read was in progress, and events that another stream has read', async () => {
  const { feed, slots, add } = await createFeed()
  const { promise, resolve } = Promise.withResolvers<void>()
  slots.gate = promise
  const first = feed.read(0, ALL, never)
  await expect.poll(() => slots.count).toBe(1)
  // It arrives at the end of the feed while the read of the other one is in progress.
  const second = feed.read(0, ALL, never)
  await add(2)
  feed.wake()
  resolve()
  expect((await first).upTo).toBe(2)
  expect((await second).upTo).toBe(2)
})

it('the streams of a project receive the events of a read that began before they waited', async () => {
  const { feed, slots, add } = await createFeed()
  await add(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  slots.gate = promise
  const first = feed.read(0, ALL, never)
  await expect.poll(() => slots.count).toBe(1)
  const second = feed.read(0, ALL, never)
  resolve()
  expect((await Promise.all([first, second])).map(rangeOf)).toEqual([
    [0, 2],
    [0, 2],
  ])
})

it('the streams of a project are not delayed by one that begins ahead of the shared reads, and miss nothing', async () => {
  const { feed, slots, add } = await createFeed()
  const behind = feed.read(0, ALL, never)
  await expect.poll(() => slots.count).toBe(1)
  await add(5)
  const ahead = feed.read(5, ALL, never)
  expect(rangeOf(await behind)).toEqual([0, 5])
  await add(1)
  feed.wake()
  expect(rangeOf(await ahead)).toEqual([5, 6])
})

it('the streams of a project read older events again when more new ones are stored than are kept', async () => {
  const { feed, slots, add } = await createFeed()
  await add(40, 100_000)
  let position = 0
  while (position < 40) position = (await feed.read(position, ALL, never)).upTo
  const { count } = slots
  const batch = await feed.read(0, ALL, never)
  expect(batch.after).toBe(0)
  expect(slots.count).toBe(count + 1)
  expect(batch.size).toBeLessThan(300_000)
})

it('the streams of a project pass events of other types without an end', async () => {
  const { feed } = await createFeed(3)
  const batch = await feed.read(0, ORDERS, never)
  expect(rangeOf(batch)).toEqual([0, 3])
  expect(batch.getMessages(0, ORDERS)).toHaveLength(0)
})

it('the streams of a project end when the feed has fewer events than they have read, and wait for new events at its end', async () => {
  const { feed, slots } = await createFeed(3)
  await expect(feed.read(9, ALL, never)).rejects.toBeInstanceOf(PlaceLostError)
  const controller = new AbortController()
  const waiting = feed.read(3, ALL, controller.signal)
  await expect.poll(() => slots.count).toBe(3)
  controller.abort(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
})
