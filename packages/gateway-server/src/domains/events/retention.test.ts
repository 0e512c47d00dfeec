import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPartitions, EVENTS, readClock, startOfPeriod } from '../../database/partitions.ts'
import { Tenant } from '../../database/tenant.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { listEventsAfter } from './events-store.ts'
import { deleteOldEvents } from './retention.ts'

const DAY = 86_400_000

let gateway: TestGateway
let projects = 0
/** The begin of the present day. */
let today: number
beforeAll(async () => {
  gateway = await testGateway()
  today = startOfPeriod('day', await readClock(gateway.owner.pool)).getTime()
  for (let days = 40; days > 0; days -= 4)
    await createPartitions(gateway.owner.pool, EVENTS, today - days * DAY)
})
afterAll(() => gateway.close())

/** Creates a project whose events were recorded at these times, in their order. */
async function createFeed(times: readonly number[]): Promise<Tenant> {
  projects += 1
  const { projectId } = await gateway.newKey({ project: `feed ${projects}` })
  const { system } = gateway.owner
  await sql`insert into gateway.event_counts values (${projectId}, ${times.length})`.execute(system)
  await sql`insert into gateway.events (project_id, sequence, type, subject, occurred_at, data, recorded_at)
    select ${projectId}, n, 'card.created', 'card/1', clock_timestamp(), '{}', to_timestamp(time::float8 / 1000)
    from unnest(${times}::bigint[]) with ordinality as t (time, n)`.execute(system)
  return new Tenant(system, projectId)
}

const read = (feed: Tenant, after?: number) =>
  listEventsAfter(feed, { after, types: undefined, limit: 7, maxBytes: 1_000_000 })

async function listStored(feed: Tenant): Promise<number[]> {
  const rows = feed.selectFrom('gateway.events').select('sequence').orderBy('sequence')
  return (await rows.execute()).map(({ sequence }) => sequence)
}

it('the retention of events deletes those of days that ended before it, and keeps the first of the next day', async () => {
  const kept = today - 30 * DAY
  const feed = await createFeed([kept - 10 * DAY, kept - 1, kept, kept + 1, today])
  await deleteOldEvents(gateway.owner.pool, 30)
  expect(await listStored(feed)).toEqual([3, 4, 5])
  expect(await read(feed)).toMatchObject({ oldest: 3, newest: 5 })
})

it('the retention of events leaves no gap when the clock has jumped back or ahead between them', async () => {
  const old = today - 40 * DAY
  const feed = await createFeed([
    today,
    today + 900 * DAY,
    old,
    old - 4000 * DAY,
    today,
    today + 900 * DAY,
    today,
  ])
  await deleteOldEvents(gateway.owner.pool, 30)
  expect(await listStored(feed)).toEqual([5, 6, 7])
  expect((await read(feed)).oldest).toBe(5)
})

it('the retention of events lets a consumer read on while partitions are dropped', async () => {
  const times = Array.from({ length: 400 }, (_, at) => today - 40 * DAY + Math.floor(at / 10) * DAY)
  const feed = await createFeed(times)
  let isDropping = true
  let parts = 0
  const consume = async () => {
    while (isDropping) {
      for (let after: number | undefined; after !== 400; ) {
        const part = await read(feed, after)
        parts += 1
        // A place before the oldest event is refused, and the consumer begins there.
        after = part.after < part.oldest - 1 ? undefined : part.next
        if (after === undefined) continue
        const sequences = part.rows.map(({ sequence }) => sequence)
        expect(sequences).toEqual(sequences.map((_, at) => part.after + 1 + at))
      }
    }
  }
  const drop = async () => {
    for (let days = 39; days >= 10; days -= 3) await deleteOldEvents(gateway.owner.pool, days)
    isDropping = false
  }
  await Promise.all([consume(), drop()])
  expect(parts).toBeGreaterThan(10)
  expect((await read(feed)).oldest).toBe(281)
})
