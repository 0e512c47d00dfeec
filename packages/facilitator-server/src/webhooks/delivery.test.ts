import { webhooks as operations, verifyWebhook } from '@mintmark/facilitator'
import type { FacilitatorClient } from '@mintmark/transport'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Account } from '../authentication.ts'
import type { Webhooks } from './index.ts'
import {
  accepts,
  type Behaviour,
  fails,
  hangs,
  type Received,
  type Receiver,
  receiver,
  redirects,
  resets,
  type TestWebhooks,
  testWebhooks,
  until,
} from './testing.ts'

// They wait for other processes and for times of the job queue, on machines that may be busy.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 60_000 })

let bed: TestWebhooks
let webhooks: Webhooks
const receivers: Receiver[] = []

beforeAll(async () => {
  bed = await testWebhooks()
  webhooks = bed.another()
  await webhooks.start()
})
afterAll(() => bed.close())
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((each) => each.close()))
})

async function open(behaviour?: Behaviour): Promise<Receiver> {
  const opened = await receiver(behaviour)
  receivers.push(opened)
  return opened
}

interface Configured {
  account: Account
  client: FacilitatorClient
  id: number
  secret: string
  deliveries(): Promise<readonly operations.Delivery[]>
}

async function configured(to: Receiver, events?: string[], of = webhooks): Promise<Configured> {
  const { account, client } = await bed.account(of)
  const { id, secret = '' } = await operations.configure(client, { url: to.url, ...(events && { events }) })
  return {
    account,
    client,
    id,
    secret,
    deliveries: async () => (await operations.deliveries(client, { id })).list,
  }
}

/** What was received, verified by the npm package and by ours. */
async function verified(message: Received, secret: string) {
  const headers = message.headers as Record<string, string>
  const theirs = new Webhook(secret).verify(message.body, headers)
  const ours = await verifyWebhook({ body: message.body, headers: message.headers, secrets: secret })
  expect(ours).toEqual(theirs)
  return ours
}

/** The queues in which a webhook's jobs wait or are worked on. */
async function unfinishedJobs(webhook: number): Promise<string[]> {
  const { rows } = await bed.database.pool.query<{ name: string }>(
    `select name from facilitator_jobs.job where state in ('created', 'retry', 'active') and group_id = $1`,
    [String(webhook)],
  )
  return rows.map(({ name }) => name)
}

const delivered = async ({ deliveries }: Configured) =>
  (await deliveries()).every(({ status }) => status === 'DELIVERED')

describe('a delivery', () => {
  test('brings the event to the webhook, signed so that the npm package and ours believe it', async () => {
    const to = await open()
    const hook = await configured(to)
    const [recorded] = await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(() => to.received.length === 1)
    const [message] = to.received
    if (message === undefined || recorded === undefined) throw new Error('nothing arrived')
    const event = await verified(message, hook.secret)
    expect(event).toEqual({
      id: `evt_${recorded.id}`,
      type: 'settlement.settled',
      occurredAt: recorded.occurredAt.toISOString(),
      sequence: 1,
      data: { payer: hook.account.payer, orderNo: 'M1', amount: '10000' },
    })
    expect(message.headers['webhook-id']).toBe(event.id)
    expect(message.headers['content-type']).toBe('application/json')
    await until(() => delivered(hook))
    expect(await hook.deliveries()).toMatchObject([
      {
        webhookId: hook.id,
        eventId: event.id,
        eventType: event.type,
        status: 'DELIVERED',
        attempts: 1,
        responseStatus: 204,
        error: '',
      },
    ])
  })

  test('is tried again after a failure, a hanging, a reset and a redirect, under one id, until it is taken', async () => {
    const elsewhere = await open()
    const moods: Behaviour[] = [fails, hangs, redirects(elsewhere.url)]
    const to = await open((response, call) => (moods[call - 1] ?? accepts)(response, call))
    const hook = await configured(to)
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries()).length === 1 && (await delivered(hook)))
    expect(to.received).toHaveLength(4)
    const events = await Promise.all(to.received.map((message) => verified(message, hook.secret)))
    expect(new Set(events.map(({ id }) => id)).size).toBe(1)
    expect(new Set(to.received.map(({ body }) => body)).size).toBe(1)
    expect(await hook.deliveries()).toMatchObject([{ attempts: 4, responseStatus: 204, error: '' }])
    expect(elsewhere.received).toEqual([])
  })

  test('is tried again after a connection that was reset, and after one that nobody took', async () => {
    const to = await open((response, call) => (call === 1 ? resets : accepts)(response, call))
    const hook = await configured(to)
    await bed.record(webhooks, hook.account, 'settlement.failed')
    await until(async () => (await hook.deliveries()).length === 1 && (await delivered(hook)))
    expect(to.received).toHaveLength(2)
    await to.close()
    receivers.splice(0)
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    expect((await hook.deliveries())[0]).toMatchObject({
      attempts: 4,
      responseStatus: 0,
      error: 'The connection was refused',
    })
  })

  test('has failed after the last of its times, and says why', async () => {
    const hook = await configured(await open(fails))
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    const [delivery] = await hook.deliveries()
    expect(delivery).toMatchObject({ attempts: 4, responseStatus: 500, error: 'The receiver answered 500' })
    expect(delivery).not.toHaveProperty('nextAttemptTime')
  })

  test('does not follow a redirect, and says so', async () => {
    const hook = await configured(await open(redirects('http://169.254.169.254/latest/meta-data')))
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    expect(await hook.deliveries()).toMatchObject([
      { responseStatus: 307, error: 'The receiver redirects; redirects are not followed' },
    ])
  })

  test('signs each attempt anew for its own time', async () => {
    let seconds = 0
    const other = await testWebhooks()
    try {
      const clocked = other.another({ now: () => Date.now() + 1000 * seconds++ })
      await clocked.start()
      const to = await open((response, call) => (call === 1 ? fails : accepts)(response, call))
      const { account, client } = await other.account(clocked)
      const { secret = '' } = await operations.configure(client, { url: to.url })
      await other.record(clocked, account, 'settlement.settled')
      await until(() => to.received.length === 2)
      const times = to.received.map(({ headers }) => Number(headers['webhook-timestamp']))
      expect(times[1]).toBeGreaterThan(times[0] ?? 0)
      for (const message of to.received) await verified(message, secret)
    } finally {
      await other.close()
    }
  })

  test('goes to the types that were asked for, of the own account, and to no removed webhook', async () => {
    const to = await open()
    const wanted = await configured(to, ['settlement.failed'])
    const stranger = await configured(to)
    await bed.record(webhooks, wanted.account, 'settlement.settled', 'settlement.failed', 'payer_balance.low')
    await until(async () => (await wanted.deliveries()).length === 1 && (await delivered(wanted)))
    expect(to.received.map(({ body }) => JSON.parse(body).type)).toEqual(['settlement.failed'])
    expect(await stranger.deliveries()).toEqual([])
    await operations.remove(wanted.client, { id: wanted.id })
    await bed.record(webhooks, wanted.account, 'settlement.failed')
    await bed.record(webhooks, stranger.account, 'settlement.failed')
    await until(() => delivered(stranger))
    await until(() => to.received.length === 2)
    await expect(verified(to.received[1] as Received, stranger.secret)).resolves.toMatchObject({
      type: 'settlement.failed',
    })
  })

  test('ends with its webhook while it is being retried', async () => {
    const to = await open(fails)
    const hook = await configured(to)
    const patient = await configured(await open())
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(() => to.received.length === 1)
    await operations.remove(hook.client, { id: hook.id })
    const before = to.received.length
    for (let time = 0; time < 3; time += 1) {
      await bed.record(webhooks, patient.account, 'settlement.settled')
      await until(async () => (await patient.deliveries()).length === time + 1 && (await delivered(patient)))
    }
    // One may have been under way when the webhook was removed.
    expect(to.received.length - before).toBeLessThanOrEqual(1)
    const statuses = await bed.database.system
      .selectFrom('facilitator.deliveries')
      .select(['status', 'error'])
      .where('webhook_id', '=', hook.id)
      .execute()
    expect(statuses).toEqual([{ status: 'FAILED', error: 'The webhook was removed' }])
    await until(async () => (await unfinishedJobs(hook.id)).length === 0)
  })

  test('vanishes with the transaction whose event it is', async () => {
    const to = await open()
    const hook = await configured(to)
    const undone = bed.record(
      {
        ...webhooks,
        enqueue: async (trx, events) => {
          await webhooks.enqueue(trx, events)
          throw new Error('the work failed')
        },
      },
      hook.account,
      'settlement.settled',
    )
    await expect(undone).rejects.toThrow('the work failed')
    expect(await hook.deliveries()).toEqual([])
    const jobs = await bed.database.pool.query('select from facilitator_jobs.job where group_id = $1', [
      String(hook.id),
    ])
    expect(jobs.rows).toEqual([])
    await bed.record(webhooks, hook.account, 'settlement.failed')
    await until(() => delivered(hook))
    await until(() => to.received.length > 0)
    expect(to.received.map(({ body }) => JSON.parse(body).type)).toEqual(['settlement.failed'])
  })
})

describe('a receiver that hangs', () => {
  test('keeps no other one waiting, however much is on its way to it', async () => {
    const slow = await open(hangs)
    const hook = await configured(slow)
    const many = Array.from({ length: 100 }, () => 'settlement.settled' as const)
    await bed.record(webhooks, hook.account, ...many)
    await until(() => slow.received.length > 0)
    const to = await open()
    const other = await configured(to)
    await bed.record(webhooks, other.account, 'settlement.settled')
    await until(() => to.received.length === 1)
    expect(slow.received.length).toBeLessThan(20)
    // What was planned for it before it failed moves to where the failing ones are.
    await until(async () => !(await unfinishedJobs(hook.id)).includes('webhooks'))
    expect((await hook.deliveries()).every(({ status }) => status !== 'DELIVERED')).toBe(true)
    await operations.remove(hook.client, { id: hook.id })
  })

  test('and is removed lets go of its places', async () => {
    const slow = await open(hangs)
    const hook = await configured(slow)
    await bed.record(
      webhooks,
      hook.account,
      ...Array.from({ length: 10 }, () => 'settlement.settled' as const),
    )
    await until(() => slow.received.length > 0)
    await operations.remove(hook.client, { id: hook.id })
    await until(async () => (await unfinishedJobs(hook.id)).length === 0)
    expect(slow.received.length).toBeLessThan(10)
  })

  test('may write an answer without an end, of which little is read', async () => {
    let written = 0
    const to = await open((response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const more = () => {
        do written += chunk.length
        while (!response.destroyed && response.write(chunk))
      }
      response.writeHead(200).on('drain', more)
      more()
    })
    const hook = await configured(to)
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries()).length === 1 && (await delivered(hook)))
    expect(to.received).toHaveLength(1)
    // What the network's buffers take, and no more.
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('a webhook that fails for too long', () => {
  test('is disabled, is sent nothing more, and is sent what comes after it was enabled again', async () => {
    const other = await testWebhooks()
    try {
      const strict = other.another({ disableAfterSeconds: 0.1, retryAfterSeconds: [0.05, 0.2, 3600] })
      await strict.start()
      const to = await open(fails)
      const { account, client } = await other.account(strict)
      const { id } = await operations.configure(client, { url: to.url })
      await other.record(strict, account, 'settlement.settled')
      await until(async () => (await operations.get(client, { id })).status === 'DISABLED')
      const list = async () => (await operations.deliveries(client, { id })).list
      expect(await list()).toMatchObject([{ status: 'FAILED' }])
      const sent = to.received.length
      await other.record(strict, account, 'settlement.failed')
      expect(await list()).toHaveLength(1)
      const [failed] = await list()
      await expect(operations.redeliver(client, { id, deliveryId: failed?.id ?? 0 })).rejects.toMatchObject({
        kind: 'InvalidInput',
      })
      to.behaviour = accepts
      expect(await operations.configure(client, { id, url: to.url })).toMatchObject({ status: 'ENABLED' })
      await other.record(strict, account, 'settlement.reconciled')
      await until(() => to.received.length === sent + 1)
      expect(JSON.parse(to.received.at(-1)?.body ?? '{}').type).toBe('settlement.reconciled')
    } finally {
      await other.close()
    }
  })

  test('begins to count anew when it has answered', async () => {
    const to = await open((response, call) => (call === 1 ? fails : accepts)(response, call))
    const hook = await configured(to)
    const failingSince = async () => {
      const row = await bed.database.system
        .selectFrom('facilitator.webhooks')
        .select('failing_since')
        .where('id', '=', hook.id)
        .executeTakeFirstOrThrow()
      return row.failing_since
    }
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await failingSince()) !== null || to.received.length > 1)
    await until(() => delivered(hook))
    expect(await failingSince()).toBeNull()
  })
})

describe('sending again', () => {
  test('sends a delivered event once more under its id', async () => {
    const to = await open()
    const hook = await configured(to)
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries()).length === 1 && (await delivered(hook)))
    const [first] = await hook.deliveries()
    const again = await operations.redeliver(hook.client, { id: hook.id, deliveryId: first?.id ?? 0 })
    expect(again).toMatchObject({ id: first?.id, eventId: first?.eventId, status: 'PENDING' })
    await until(() => to.received.length === 2)
    await until(() => delivered(hook))
    const ids = await Promise.all(
      to.received.map(async (message) => (await verified(message, hook.secret)).id),
    )
    expect(ids).toEqual([first?.eventId, first?.eventId])
    expect(await hook.deliveries()).toMatchObject([{ attempts: 2 }])
  })

  test('begins a failed delivery anew, with all its times', async () => {
    const to = await open(fails)
    const hook = await configured(to)
    await bed.record(webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    const [failed] = await hook.deliveries()
    await operations.redeliver(hook.client, { id: hook.id, deliveryId: failed?.id ?? 0 })
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    expect(to.received).toHaveLength(8)
    to.behaviour = accepts
    await operations.redeliver(hook.client, { id: hook.id, deliveryId: failed?.id ?? 0 })
    await until(() => delivered(hook))
    expect(to.received).toHaveLength(9)
  })
})
