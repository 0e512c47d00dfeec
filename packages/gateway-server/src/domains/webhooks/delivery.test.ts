import { accepts, type Behavior, fails, hangs, type Received, redirects } from '@mintmark/devkit/testing'
import {
  type EventTypePattern,
  events,
  eventWebhooks,
  type GatewayEvent,
  verifyWebhook,
} from '@mintmark/events'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventSources } from '../../main/composition.ts'
import { createCardClient } from '../../testing/cards.ts'
import { TEST_URL } from '../../testing/gateway.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import { addAuditEntries } from '../audit/add-entries.ts'
import { deleteOldEvents } from '../events/retention.ts'
import { sequenceAllChanges } from '../events/sequencer.ts'
import { createAddDeliveries } from './delivering.ts'
import { deleteOldDeliveries } from './retention.ts'
import { createDeliveryFixture, type DeliveryFixture } from './testing-delivery.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await createDeliveryFixture()
})
afterAll(() => fixture.close())
afterEach(() => fixture.closeReceivers())

/** Waits until an assertion holds. The time limit of the test is the only limit. */
const eventually = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 170_000, interval: 10 })

const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id'])
const typesOf = (received: readonly Received[]) =>
  received.map(({ body }) => (JSON.parse(body) as GatewayEvent).type)

async function createHook(project: SampleProject, url: string, patterns: EventTypePattern[] = []) {
  const { id, secret = '' } = await eventWebhooks.configure(project.client, { url, events: patterns })
  const list = async () => (await eventWebhooks.deliveries(project.client, { id })).list
  return { id, secret, list }
}

it('a webhook receives the events of its project as the feed returns them, signed', async () => {
  const { gateway, delivering } = fixture
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  const hook = await createHook(project, receiver.url)
  const card = await createCardClient({ ...gateway, key: project.key }).create('promoCodeCards')
  const options = { db: gateway.owner.system, sources: eventSources, addAuditEntries, publicUrl: TEST_URL }
  const log = { error: (fields: { err?: unknown }) => expect.fail(String(fields.err)) }
  await sequenceAllChanges({ ...options, log, addDeliveries: createAddDeliveries(delivering.enqueue) })
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const [message] = receiver.received
  if (message === undefined) throw new Error('Nothing was received')
  const event = await verifyWebhook({ ...message, secrets: hook.secret })
  expect(event).toEqual((await events.list(project.client)).events[0])
  expect(event).toMatchObject({ type: 'card.created', data: { card: { id: card.id } } })
  expect(message.headers).toMatchObject({ 'webhook-id': event.id, 'user-agent': 'mintmark-gateway' })
  await eventually(async () => expect((await hook.list())[0]?.status).toBe('DELIVERED'))
  expect(await hook.list()).toMatchObject([
    {
      eventId: event.id,
      eventType: 'card.created',
      sequence: 1,
      attempts: 1,
      responseStatus: 204,
      log: [{ responseStatus: 204, error: '', durationMs: expect.any(Number) }],
    },
  ])
})

it('a webhook receives only the types that it subscribes to, by names and patterns', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  await createHook(project, receiver.url, ['order.*', 'card.created'])
  await fixture.addEvents(
    project,
    'card.updated',
    'order.paid',
    'offer.created',
    'card.created',
    'order.failed',
  )
  await eventually(() => expect(receiver.received).toHaveLength(3))
  expect(typesOf(receiver.received).sort()).toEqual(['card.created', 'order.failed', 'order.paid'])
})

it('a webhook receives nothing of an event whose transaction was rolled back', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  const hook = await createHook(project, receiver.url)
  const { owner } = fixture.gateway
  const failing = owner.system.transaction().execute(async (trx) => {
    const key = { project_id: project.projectId, sequence: 1 }
    await trx.insertInto('gateway.event_counts').values({ project_id: key.project_id, newest: 1 }).execute()
    const event = { ...key, type: 'card.created', subject: 'card/1', occurred_at: new Date(), data: '{}' }
    await trx.insertInto('gateway.events').values(event).execute()
    const added = [{ owner: key.project_id, event: 1, type: 'card.created' }]
    await fixture.delivering.deliveries.addForEvents(trx, added, fixture.delivering.enqueue)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await fixture.addEvents(project, 'order.paid')
  await eventually(() => expect(typesOf(receiver.received)).toEqual(['order.paid']))
  expect(await hook.list()).toHaveLength(1)
})

it('a webhook receives an event again after failures, under one id, until it accepts it', async () => {
  const elsewhere = await fixture.openReceiver()
  const behaviors: Behavior[] = [fails, redirects(elsewhere.url), (response) => response.socket?.destroy()]
  const receiver = await fixture.openReceiver((response, call) =>
    (behaviors[call - 1] ?? accepts)(response, call),
  )
  const project = await fixture.createProject()
  const hook = await createHook(project, receiver.url)
  await fixture.addEvents(project, 'order.paid')
  await eventually(async () => expect((await hook.list())[0]?.status).toBe('DELIVERED'))
  expect(new Set(idsOf(receiver.received)).size).toBe(1)
  expect(elsewhere.received).toEqual([])
  const [delivery] = await hook.list()
  expect(delivery?.log.map(({ responseStatus }) => responseStatus)).toEqual([500, 307, 0, 204])
})

it('a webhook is sent nothing more after it was removed', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver(hangs)
  const hook = await createHook(project, receiver.url)
  await fixture.addEvents(project, ...Array.from({ length: 10 }, () => 'order.paid' as const))
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(0))
  await eventWebhooks.remove(project.client, { id: hook.id })
  const unfinished = async () => {
    const { rows } = await sql`select from gateway_jobs.job
        where group_id = ${String(hook.id)} and state in ('created', 'retry', 'active')`.execute(
      fixture.gateway.owner.system,
    )
    return rows.length
  }
  await eventually(async () => expect(await unfinished()).toBe(0))
  expect(receiver.received.length).toBeLessThan(10)
  await expect(eventWebhooks.get(project.client, { id: hook.id })).rejects.toMatchObject({ status: 404 })
})

it('a webhook receives at most as many messages per second as its limit', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  const { id } = await eventWebhooks.configure(project.client, { url: receiver.url, maxPerSecond: 10 })
  await fixture.addEvents(project, ...Array.from({ length: 12 }, () => 'order.paid' as const))
  const listDelivered = async () => {
    const deliveries = await eventWebhooks.deliveries(project.client, { id, pageSize: 100 })
    return deliveries.list.filter(({ status }) => status === 'DELIVERED')
  }
  await eventually(async () => expect(await listDelivered()).toHaveLength(12))
  const list = await listDelivered()
  const createdAt = Math.min(...list.map(({ createTime }) => Date.parse(createTime)))
  const attemptedAt = list
    .map(({ lastAttemptTime = '' }) => Date.parse(lastAttemptTime))
    .sort((a, b) => a - b)
  // By the clock of the database: each message has a slot of 100 ms, and is not sent before its slot.
  const early = attemptedAt.filter((at, position) => at < createdAt + position * 100)
  expect(early).toEqual([])
  const { rows } = await sql<{ next_slot_at: Date }>`
      select next_slot_at from gateway.webhooks where project_id = ${project.projectId}`.execute(
    fixture.gateway.owner.system,
  )
  expect(rows[0]?.next_slot_at.getTime()).toBeGreaterThanOrEqual(createdAt + 1200)
  expect(receiver.received).toHaveLength(12)
})

it('a webhook that fails for too long is disabled, and the feed and the other webhooks report it', async () => {
  const strict = await createDeliveryFixture({
    disableAfterSeconds: 0.1,
    retryAfterSeconds: [0.05, 0.2, 3600],
  })
  try {
    const project = await strict.createProject()
    const broken = await strict.openReceiver(fails)
    const working = await strict.openReceiver()
    const hook = await createHook(project, broken.url)
    await createHook(project, working.url, ['webhook.*'])
    await strict.addEvents(project, 'order.paid')
    await eventually(() => expect(typesOf(working.received)).toEqual(['webhook.disabled']))
    const webhook = await eventWebhooks.get(project.client, { id: hook.id })
    expect(webhook).toMatchObject({ status: 'DISABLED', failingSince: expect.any(String) })
    const feed = await events.list(project.client, { types: 'webhook.*' })
    expect(feed.events).toMatchObject([
      {
        type: 'webhook.disabled',
        subject: `webhook/${hook.id}`,
        data: { id: hook.id, status: 'DISABLED' },
      },
    ])
    await expect(eventWebhooks.sendTest(project.client, { id: hook.id })).rejects.toMatchObject({
      kind: 'InvalidInput',
    })

    // What happened meanwhile is sent by a redelivery of the range.
    await strict.addEvents(project, 'order.failed')
    broken.behavior = accepts
    const sent = broken.received.length
    await eventWebhooks.configure(project.client, { id: hook.id, url: broken.url, events: ['order.*'] })
    const range = await eventWebhooks.redeliverRange(project.client, { id: hook.id })
    expect(range).toMatchObject({ deliveries: 2, hasMore: false })
    await eventually(() => expect(broken.received).toHaveLength(sent + 2))
    expect(typesOf(broken.received.slice(sent)).sort()).toEqual(['order.failed', 'order.paid'])
    await eventually(async () =>
      expect((await hook.list()).every(({ status }) => status === 'DELIVERED')).toBe(true),
    )
    expect(await eventWebhooks.redeliverRange(project.client, { id: hook.id })).toMatchObject({
      deliveries: 0,
    })
  } finally {
    await strict.close()
  }
})

it('redelivery sends one delivery, or the delivered events of a range, under their ids', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  const hook = await createHook(project, receiver.url)
  await fixture.addEvents(project, 'order.created', 'order.pending', 'order.paid')
  const delivered = async () => (await hook.list()).every(({ status }) => status === 'DELIVERED')
  await eventually(async () => expect(await delivered()).toBe(true))
  const [newest] = await hook.list()
  await eventWebhooks.redeliver(project.client, { id: hook.id, deliveryId: newest?.id ?? 0 })
  await eventually(() => expect(receiver.received).toHaveLength(4))
  expect(idsOf(receiver.received)[3]).toBe(newest?.eventId)
  await eventually(async () => expect(await delivered()).toBe(true))
  const again = { id: hook.id, after: 1, upTo: 2, includeDelivered: true }
  expect(await eventWebhooks.redeliverRange(project.client, again)).toEqual({
    deliveries: 1,
    next: 2,
    hasMore: false,
  })
  await eventually(() => expect(receiver.received).toHaveLength(5))
  expect(typesOf(receiver.received)[4]).toBe('order.pending')
  const future = { id: hook.id, from: '2099-01-01T00:00:00Z', includeDelivered: true }
  expect(await eventWebhooks.redeliverRange(project.client, future)).toMatchObject({ deliveries: 0 })
})

it('a redelivery of a range sends at once what waits for a retry', async () => {
  const patient = await createDeliveryFixture({ retryAfterSeconds: [3600] })
  try {
    const project = await patient.createProject()
    const receiver = await patient.openReceiver(fails)
    const hook = await createHook(project, receiver.url)
    await patient.addEvents(project, 'order.created', 'order.pending', 'order.paid')
    const failedOnce = async () => (await hook.list()).every(({ attempts }) => attempts === 1)
    await eventually(async () => expect(await failedOnce()).toBe(true))
    receiver.behavior = accepts
    expect(await eventWebhooks.redeliverRange(project.client, { id: hook.id })).toMatchObject({
      deliveries: 3,
    })
    await eventually(async () =>
      expect((await hook.list()).map(({ status }) => status)).toEqual(Array(3).fill('DELIVERED')),
    )
    expect(receiver.received).toHaveLength(6)
  } finally {
    await patient.close()
  }
})

it('redelivery is refused for webhooks and deliveries of another project', async () => {
  const mine = await fixture.createProject()
  const theirs = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  const hook = await createHook(mine, receiver.url)
  const own = await createHook(theirs, receiver.url)
  await fixture.addEvents(mine, 'order.paid')
  await eventually(async () => expect((await hook.list())[0]?.status).toBe('DELIVERED'))
  const deliveryId = (await hook.list())[0]?.id ?? 0
  const missing = { kind: 'NotFound' }
  const { client } = theirs
  await expect(eventWebhooks.redeliver(client, { id: hook.id, deliveryId })).rejects.toMatchObject(missing)
  await expect(eventWebhooks.redeliver(client, { id: own.id, deliveryId })).rejects.toMatchObject(missing)
  await expect(eventWebhooks.redeliverRange(client, { id: hook.id })).rejects.toMatchObject(missing)
  expect(await eventWebhooks.redeliverRange(client, { id: own.id })).toMatchObject({ deliveries: 0 })
  expect(await own.list()).toEqual([])
  expect(receiver.received).toHaveLength(1)
})

it('the secret of a webhook is stored encrypted, also in the response of a call with an Idempotency-Key', async () => {
  const project = await fixture.createProject()
  const url = 'http://127.0.0.1:9/'
  const options = { idempotencyKey: 'configure-once' }
  const webhook = await eventWebhooks.configure(project.client, { url }, options)
  expect(webhook.secret).toMatch(/^whsec_/)
  expect(await eventWebhooks.configure(project.client, { url }, options)).toEqual(webhook)
  await eventWebhooks.rotateSecret(project.client, { id: webhook.id }, { idempotencyKey: 'rotate-once' })
  const { rows } = await sql<{ text: string }>`
      select w::text as text from gateway.webhooks w where project_id = ${project.projectId}
      union all select k::text from gateway.idempotency_keys k where project_id = ${project.projectId}`.execute(
    fixture.gateway.owner.system,
  )
  expect(rows).toHaveLength(3)
  for (const { text } of rows) expect(text).not.toContain('whsec_')
})

it('the secret of a webhook signs beside the new one until the overlap of a rotation ends', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  const hook = await createHook(project, receiver.url)
  const { secret = '' } = await eventWebhooks.rotateSecret(project.client, { id: hook.id })
  expect(secret).not.toBe(hook.secret)
  await fixture.addEvents(project, 'order.paid')
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const [during] = receiver.received
  if (during === undefined) throw new Error('Nothing was received')
  for (const secrets of [hook.secret, secret]) {
    await expect(verifyWebhook({ ...during, secrets })).resolves.toMatchObject({ type: 'order.paid' })
  }
  const last = await eventWebhooks.rotateSecret(project.client, { id: hook.id, overlapHours: 0 })
  await fixture.addEvents(project, 'order.failed')
  await eventually(() => expect(receiver.received).toHaveLength(2))
  const after = receiver.received[1]
  if (after === undefined) throw new Error('Nothing was received')
  await expect(verifyWebhook({ ...after, secrets: last.secret ?? '' })).resolves.toBeDefined()
  await expect(verifyWebhook({ ...after, secrets: [hook.secret, secret] })).rejects.toMatchObject({
    reason: 'bad_signature',
  })
})

it('a test message is sent once to its webhook, and is not in the feed', async () => {
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver(fails)
  const other = await fixture.openReceiver()
  const hook = await createHook(project, receiver.url, ['order.*'])
  await createHook(project, other.url)
  const { id, eventId } = await eventWebhooks.sendTest(project.client, { id: hook.id })
  await eventually(async () => expect((await hook.list())[0]?.status).toBe('FAILED'))
  expect(receiver.received).toHaveLength(1)
  const [message] = receiver.received
  if (message === undefined) throw new Error('Nothing was received')
  expect(await verifyWebhook({ ...message, secrets: hook.secret })).toMatchObject({
    id: eventId,
    type: 'webhook.test',
    sequence: 0,
    data: { webhookId: hook.id },
  })
  expect(await hook.list()).toMatchObject([{ id, attempts: 1, sequence: 0 }])
  expect((await events.list(project.client)).events).toEqual([])
  expect(other.received).toEqual([])
})

describe('the retention', () => {
  it('the retention deletes deliveries with their events, old test messages and removed webhooks', async () => {
    const project = await fixture.createProject()
    const receiver = await fixture.openReceiver()
    const kept = await createHook(project, receiver.url)
    const removed = await createHook(project, receiver.url)
    await eventWebhooks.sendTest(project.client, { id: removed.id })
    await fixture.addEvents(project, 'order.paid')
    await eventually(async () =>
      expect((await removed.list()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']),
    )
    await eventually(async () => expect((await kept.list())[0]?.status).toBe('DELIVERED'))
    await eventWebhooks.remove(project.client, { id: removed.id })
    const { owner } = fixture.gateway
    await sql`update gateway.events set recorded_at = recorded_at - interval '40 days'
      where project_id = ${project.projectId}`.execute(owner.system)
    await deleteOldEvents(owner.pool, 30)
    await sql`update gateway.webhooks set updated_at = updated_at - interval '31 days'
      where project_id = ${project.projectId}`.execute(owner.system)
    await sql`update gateway.webhook_deliveries set created_at = created_at - interval '31 days'
      where project_id = ${project.projectId}`.execute(owner.system)
    await deleteOldDeliveries(owner.pool, 30)
    expect(await kept.list()).toEqual([])
    const { rows } = await sql<{ id: number }>`
      select id from gateway.webhooks where project_id = ${project.projectId}`.execute(owner.system)
    expect(rows).toEqual([{ id: kept.id }])
  })

  it('the retention leaves nothing to send of a delivery whose event it has dropped', async () => {
    const project = await fixture.createProject()
    const receiver = await fixture.openReceiver()
    const hook = await createHook(project, receiver.url, ['card.created'])
    await fixture.addEvents(project, 'order.paid')
    const { system } = fixture.gateway.owner
    const findDue = async (sequence: number) => {
      const { rows } = await sql<{ id: number }>`
        insert into gateway.webhook_deliveries (project_id, webhook_id, event_sequence, event_type, next_attempt_at)
        values (${project.projectId}, ${hook.id}, ${sequence}, 'order.paid', 'infinity') returning id`.execute(
        system,
      )
      const job = { owner: project.projectId, delivery: rows[0]?.id ?? 0, turn: 1 }
      return await fixture.delivering.deliveries.findDue(system, job)
    }
    expect(await findDue(1)).toMatchObject({ event: 1 })
    expect(await findDue(2)).toBeUndefined()
  })
})
