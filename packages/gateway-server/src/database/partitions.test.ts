import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { createPartitions, EVENTS, PARTITIONED_TABLES } from './partitions.ts'

const DAY = 86_400_000
const noon = Date.UTC(2031, 5, 1, 12)

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

async function select<Row>(query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(gateway.owner.system)).rows
}

async function insertEvent(sequence: number, recordedAt: number): Promise<void> {
  await sql`insert into gateway.events (project_id, sequence, type, subject, occurred_at, data, recorded_at)
    values (${gateway.key.projectId}, ${sequence}, 'card.created', 'card/1', clock_timestamp(), '{}', ${new Date(recordedAt)})`.execute(
    gateway.owner.system,
  )
}

/** Lists the partition and the number of each event. */
const listEvents = () =>
  select(sql<{ partition: string; sequence: number }>`
    select tableoid::regclass::text as partition, sequence from gateway.events order by sequence, 1`)

it('partitions of days and months are created for the present period and the next ones, each once', async () => {
  const names = () =>
    select(sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relispartition and relname ~ '2032' order by 1`)
  const newYear = Date.UTC(2031, 11, 30, 23, 59)
  for (const table of PARTITIONED_TABLES) {
    await Promise.all([newYear, newYear].map((now) => createPartitions(gateway.owner.pool, table, now)))
  }
  expect((await names()).map(({ name }) => name)).toEqual([
    'audit_entries_203201',
    'audit_entries_203202',
    'events_20320101',
    'events_20320102',
  ])
})

it('events that were recorded without a partition are moved into theirs, while others are written', async () => {
  await insertEvent(1, noon)
  await insertEvent(2, noon + DAY)
  // Neither is in the partitions that are created.
  await insertEvent(3, noon - 400 * DAY)
  await insertEvent(4, noon + 400 * DAY)
  await Promise.all([
    createPartitions(gateway.owner.pool, EVENTS, noon),
    ...Array.from({ length: 20 }, (_, at) => insertEvent(5 + at, noon)),
  ])
  expect(await listEvents()).toEqual([
    { partition: 'gateway.events_20310601', sequence: 1 },
    { partition: 'gateway.events_20310602', sequence: 2 },
    { partition: 'gateway.events_default', sequence: 3 },
    { partition: 'gateway.events_default', sequence: 4 },
    ...Array.from({ length: 20 }, (_, at) => ({ partition: 'gateway.events_20310601', sequence: 5 + at })),
  ])
})

it('the servers’ role reaches partitions only through their tables, whose row-level security applies', async () => {
  const unprotected = await select(sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'gateway'::regnamespace and relkind = 'r' and relispartition and not relrowsecurity`)
  expect(unprotected).toEqual([])
  const direct = gateway.database.forProject(gateway.key.projectId)
  expect((await sql`select from gateway.events_20310601`.execute(direct)).rows).toEqual([])
  const other = await gateway.newKey({ project: 'without events' })
  const counts = await Promise.all(
    [gateway.key, other].map(({ projectId }) =>
      gateway.database
        .forProject(projectId)
        .selectFrom('gateway.events')
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirst(),
    ),
  )
  expect(counts).toEqual([{ count: 24 }, { count: 0 }])
})
