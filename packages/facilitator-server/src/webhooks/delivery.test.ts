import { accepts, fails, redirects } from '@mintmark/devkit/testing'
import { webhooks as operations } from '@mintmark/facilitator'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testWebhooks, until } from './testing.ts'
import { type SendingBed, sendingBed, verified } from './testing-hook.ts'

let hooks: SendingBed
beforeAll(async () => {
  hooks = await sendingBed()
})
afterAll(() => hooks.fixture.close())
afterEach(() => hooks.closeReceivers())

test('a delivery brings the event to the webhook, signed so that the npm package and ours believe it', async () => {
  const to = await hooks.open()
  const hook = await hooks.hook(to)
  const [recorded] = await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
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
  await until(() => hook.delivered())
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

test('a delivery does not follow a redirect, and says so', async () => {
  const hook = await hooks.hook(await hooks.open(redirects('http://169.254.169.254/latest/meta-data')))
  await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
  await until(async () => (await hook.deliveries())[0]?.status === 'FAILED')
  expect(await hook.deliveries()).toMatchObject([
    { responseStatus: 307, error: 'The receiver responded with a redirect, which is not followed' },
  ])
})

test('a delivery signs each attempt with its own timestamp', async () => {
  let seconds = 0
  const other = await testWebhooks()
  try {
    const clocked = other.another({ now: () => Date.now() + 1000 * seconds++ })
    await clocked.start()
    const to = await hooks.open((response, call) => (call === 1 ? fails : accepts)(response, call))
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
