import { randomFrom } from '@mintmark/devkit/random'
import { events, type GatewayEvent } from '@mintmark/events'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import { eventSources } from '../../main/composition.ts'
import { createCardClient } from '../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import { addAuditEntries } from '../audit/add-entries.ts'
import { deleteOldEvents } from './retention.ts'
import { sequenceAllChanges } from './sequencer.ts'

let gateway: TestGateway
let cards: ReturnType<typeof createCardClient>
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  cards = createCardClient(gateway)
  project = { ...(await sampleProject(gateway, 'demo')), key: gateway.key }
})
afterAll(() => gateway.close())

const sequencing = () => ({
  db: gateway.owner.system,
  sources: eventSources,
  addAuditEntries,
  publicUrl: TEST_URL,
  log: { error: (fields: { err?: unknown }) => expect.fail(String(fields.err)) },
})

it('the feed returns every event exactly once while its sequencers are killed and its readers resume', async () => {
  const random = randomFrom(4711)
  const sequencers = openDatabase<Tables>({ url: gateway.url, max: 3, applicationName: 'sequencers' })
  const read: GatewayEvent[] = []
  const created: number[] = []
  let isWriting = true
  let interruptions = 0

  const write = async () => {
    for (let count = 0; count < 40; count += 1) {
      const { id } = await cards.create('promoCodeCards', { totalIssued: 5 })
      created.push(id)
      await cards.post('promoCodeCards', '/update', { id, name: `Card ${id}` })
    }
  }
  const sequence = async () => {
    while (isWriting) {
      await sequenceAllChanges({ ...sequencing(), db: sequencers.system }).catch(() => {
        interruptions += 1
      })
      await new Promise(setImmediate)
    }
  }
  const kill = async () => {
    while (isWriting) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'sequencers' and state <> 'idle' and ${random.chance(0.5)}`.execute(
        gateway.owner.system,
      )
      await new Promise(setImmediate)
    }
  }
  const consume = async (until: () => boolean) => {
    while (!until()) {
      const after = read.at(-1)?.sequence ?? 0
      const batch = await events.list(project.client, { after, limit: 1 + random.integer(20) })
      // A reader that disconnects has processed only a part of what it received, and resumes there.
      const processed = random.chance(0.3) ? batch.events.slice(0, 1) : batch.events
      read.push(...processed)
    }
  }
  const writers = Promise.all([write(), write(), write()]).finally(() => {
    isWriting = false
  })
  await Promise.all([writers, sequence(), sequence(), kill(), consume(() => !isWriting)])
  await sequencers.close()
  await sequenceAllChanges(sequencing())
  const { newest } = await gateway.owner.system
    .selectFrom('gateway.event_counts')
    .select('newest')
    .where('project_id', '=', gateway.key.projectId)
    .executeTakeFirstOrThrow()
  await consume(() => read.at(-1)?.sequence === newest)

  expect(interruptions).toBeGreaterThan(0)
  expect(read.map((event) => event.sequence)).toEqual(Array.from({ length: newest }, (_, at) => at + 1))
  expect(new Set(read.map(({ id }) => id)).size).toBe(newest)
  for (const id of created) {
    const types = read.filter(({ subject }) => subject === `card/${id}`).map(({ type }) => type)
    expect(types).toEqual(['card.created', 'card.updated'])
  }
})

it('the feed is read from its oldest event when no place is given, and filtered by types and patterns', async () => {
  const all = await events.list(project.client, { limit: 2 })
  expect(all.events.map(({ sequence }) => sequence)).toEqual([1, 2])
  expect(all).toMatchObject({ next: 2, hasMore: true })
  const { id } = await cards.create('promoCodeCards')
  await cards.remove('promoCodeCards', id)
  await sequenceAllChanges(sequencing())
  const filtered = await events.list(project.client, { types: 'card.removed,order.*' })
  expect(filtered.events).toMatchObject([{ type: 'card.removed', subject: `card/${id}` }])
  expect(filtered.hasMore).toBe(false)
})

it('the feed returns fewer events than the limit when their data is large, and continues after them', async () => {
  const large = await sampleProject(gateway, 'large')
  await sql`insert into gateway.event_counts values (${large.projectId}, 10)`.execute(gateway.owner.system)
  await sql`insert into gateway.events (project_id, sequence, type, subject, occurred_at, data)
      select ${large.projectId}, n, 'card.created', 'card/' || n, clock_timestamp(),
        json_build_object('text', (select string_agg(md5(i::text || n), '') from generate_series(1, 22000) i))
      from generate_series(1, 10) n`.execute(gateway.owner.system)
  const sequences: number[] = []
  const sizes: number[] = []
  for (let next = 0; next < 10; ) {
    const batch = await events.list(large.client, { after: next, limit: 100 })
    sequences.push(...batch.events.map(({ sequence }) => sequence))
    sizes.push(batch.events.length)
    expect(batch.hasMore).toBe(batch.next < 10)
    expect(batch.newest).toBe(10)
    next = batch.next
  }
  expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(Math.max(...sizes)).toBeLessThan(8)
})

it('the feed reports a transaction that changes rows of thousands of projects', async () => {
  await sql`
      with project as (insert into gateway.projects (name) select 'many ' || n from generate_series(1, 2000) n returning id)
      insert into gateway.wallet_info (project_id, address) select id, '0x1' from project`.execute(
    gateway.owner.system,
  )
  await sequenceAllChanges(sequencing())
  const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from gateway.events e
      join gateway.projects p on p.id = e.project_id and p.name like 'many %'`.execute(gateway.owner.system)
  expect(rows).toEqual([{ count: 2000 }])
})

it('the feed ends in EVENTS_EXPIRED for deleted events, and begins with the oldest one that is stored', async () => {
  await sql`update gateway.events set recorded_at = clock_timestamp() - interval '40 days'
      where sequence <= 5 and project_id = ${gateway.key.projectId}`.execute(gateway.owner.system)
  await deleteOldEvents(gateway.owner.pool, 30)
  const expired = events.list(project.client, { after: 4 })
  await expect(expired).rejects.toMatchObject({ status: 410, reason: 'EVENTS_EXPIRED' })
  expect((await events.list(project.client, { after: 5, limit: 1 })).events[0]?.sequence).toBe(6)
  expect((await events.list(project.client, { limit: 1 })).events[0]?.sequence).toBe(6)
})

it('the feed keeps a change that cannot be reported, logs it, and reports the others', async () => {
  const lines: unknown[] = []
  const log = { error: (...line: unknown[]) => void lines.push(line) }
  const { id } = await cards.create('eventCards')
  await sql`update gateway.row_changes set relation = 'assets' where after ->> 'id' = ${String(id)}`.execute(
    gateway.owner.system,
  )
  const next = await cards.create('eventCards')
  await sequenceAllChanges({ ...sequencing(), log })
  expect(lines).toHaveLength(1)
  const { rows } = await sql<{ problem: string }>`select problem from gateway.row_changes`.execute(
    gateway.owner.system,
  )
  expect(rows).toEqual([{ problem: 'No source reports changes of assets' }])
  const { events: listed } = await events.list(project.client, { limit: 500, types: 'card.created' })
  expect(listed.at(-1)?.subject).toBe(`card/${next.id}`)
})
