import { accepts, fails, hangs } from '@mintmark/devkit/testing'
import { webhooks as operations } from '@mintmark/facilitator'
import { createLog } from '@mintmark/server-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testWebhooks, until } from './testing.ts'
import { type SendingBed, sendingBed, verified } from './testing-hook.ts'

let hooks: SendingBed
beforeAll(async () => {
  hooks = await sendingBed()
})
afterAll(() => hooks.fixture.close())
afterEach(() => hooks.closeReceivers())

test('a receiver that hangs keeps no other one waiting, however much is on its way to it', async () => {
  const slow = await hooks.open(hangs)
  const hook = await hooks.hook(slow)
  const many = Array.from({ length: 100 }, () => 'settlement.settled' as const)
  await hooks.fixture.record(hooks.webhooks, hook.account, ...many)
  await until(() => slow.received.length > 0)
  const to = await hooks.open()
  const other = await hooks.hook(to)
  await hooks.fixture.record(hooks.webhooks, other.account, 'settlement.settled')
  await until(() => to.received.length === 1)
  expect(slow.received.length).toBeLessThan(20)
  // What was planned for it before it failed moves to where the failing ones are.
  await until(async () => !(await hook.unfinishedJobs()).includes('webhooks'))
  expect((await hook.deliveries()).every(({ status }) => status !== 'DELIVERED')).toBe(true)
  await operations.remove(hook.client, { id: hook.id })
})

test('a receiver that hangs and is removed releases its slots', async () => {
  const slow = await hooks.open(hangs)
  const hook = await hooks.hook(slow)
  await hooks.fixture.record(
    hooks.webhooks,
    hook.account,
    ...Array.from({ length: 10 }, () => 'settlement.settled' as const),
  )
  await until(() => slow.received.length > 0)
  await operations.remove(hook.client, { id: hook.id })
  await until(async () => (await hook.unfinishedJobs()).length === 0)
  expect(slow.received.length).toBeLessThan(10)
})

test('a receiver that hangs may send an endless response, of which only the beginning is read', async () => {
  let written = 0
  const to = await hooks.open((response) => {
    const chunk = Buffer.alloc(64 * 1024)
    const more = () => {
      do written += chunk.length
      while (!response.destroyed && response.write(chunk))
    }
    response.writeHead(200).on('drain', more)
    more()
  })
  const hook = await hooks.hook(to)
  await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
  await until(async () => (await hook.deliveries()).length === 1 && (await hook.delivered()))
  expect(to.received).toHaveLength(1)
  // What the network's buffers take, and no more.
  expect(written).toBeLessThan(32 * 1024 * 1024)
})

test('a webhook that fails for too long is disabled, is sent nothing more, and is sent what comes after it was enabled again', async () => {
  const other = await testWebhooks()
  try {
    const strict = other.another({ disableAfterSeconds: 0.1, retryAfterSeconds: [0.05, 0.2, 3600] })
    await strict.start()
    const to = await hooks.open(fails)
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
    to.behavior = accepts
    expect(await operations.configure(client, { id, url: to.url })).toMatchObject({ status: 'ENABLED' })
    await other.record(strict, account, 'settlement.reconciled')
    await until(() => to.received.length === sent + 1)
    expect(JSON.parse(to.received.at(-1)?.body ?? '{}').type).toBe('settlement.reconciled')
  } finally {
    await other.close()
  }
})

test('a webhook that fails for too long starts a new count of failures after a success', async () => {
  const to = await hooks.open((response, call) => (call === 1 ? fails : accepts)(response, call))
  const hook = await hooks.hook(to)
  const failingSince = async () => {
    const row = await hooks.fixture.database.system
      .selectFrom('facilitator.webhooks')
      .select('failing_since')
      .where('id', '=', hook.id)
      .executeTakeFirstOrThrow()
    return row.failing_since
  }
  await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
  await until(async () => (await failingSince()) !== null || to.received.length > 1)
  await until(() => hook.delivered())
  expect(await failingSince()).toBeNull()
})

test('an attempt whose secret cannot be opened is repeated less and less often', async () => {
  const bed = await sendingBed({ log: createLog('test', 'silent') })
  try {
    const hook = await bed.hook(await bed.open())
    const { pool } = bed.fixture.database
    await pool.query(`update facilitator.webhooks set secret = 'retired.secret' where id = $1`, [hook.id])
    await bed.fixture.record(bed.webhooks, hook.account, 'settlement.settled')
    const readPause = async () => {
      const { rows } = await pool.query<{ seconds: number }>(
        `select extract(epoch from start_after - started_on)::float8 as seconds from facilitator_jobs.job
          where group_id = $1 and state = 'retry' and retry_count > 0`,
        [String(hook.id)],
      )
      return rows[0]?.seconds
    }
    await until(async () => (await readPause()) !== undefined)
    expect(await readPause()).toBeGreaterThanOrEqual(2)
  } finally {
    await bed.closeReceivers()
    await bed.fixture.close()
  }
})

describe('sending again', () => {
  test('sends a delivered event once more under its id', async () => {
    const to = await hooks.open()
    const hook = await hooks.hook(to)
    await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries()).length === 1 && (await hook.delivered()))
    const [first] = await hook.deliveries()
    const again = await operations.redeliver(hook.client, { id: hook.id, deliveryId: first?.id ?? 0 })
    expect(again).toMatchObject({ id: first?.id, eventId: first?.eventId, status: 'PENDING' })
    await until(() => to.received.length === 2)
    await until(() => hook.delivered())
    const ids = await Promise.all(
      to.received.map(async (message) => (await verified(message, hook.secret)).id),
    )
    expect(ids).toEqual([first?.eventId, first?.eventId])
    expect(await hook.deliveries()).toMatchObject([{ attempts: 2 }])
  })

  test('restarts a failed delivery with all of its attempts', async () => {
    const to = await hooks.open(fails)
    const hook = await hooks.hook(to)
    await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    const [failed] = await hook.deliveries()
    await operations.redeliver(hook.client, { id: hook.id, deliveryId: failed?.id ?? 0 })
    await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
    expect(to.received).toHaveLength(8)
    to.behavior = accepts
    await operations.redeliver(hook.client, { id: hook.id, deliveryId: failed?.id ?? 0 })
    await until(() => hook.delivered())
    expect(to.received).toHaveLength(9)
  })
})
