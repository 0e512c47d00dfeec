import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { accepts, hangs, type Receiver, receiver } from '@mintmark/devkit/testing'
import { webhooks as operations } from '@mintmark/facilitator'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { type TestWebhooks, testWebhooks, until } from './testing.ts'
import { patient } from './testing-times.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(): Promise<TestWebhooks> {
  const fixture = await testWebhooks()
  closers.push(fixture.close)
  return fixture
}
async function listen(behavior = accepts): Promise<Receiver> {
  const opened = await receiver(behavior)
  closers.push(opened.close)
  return opened
}

/** Starts a process that delivers. Returns a function that kills it without warning. */
async function sender({ url, secretKeys }: TestWebhooks): Promise<() => Promise<void>> {
  const child = spawn(
    process.execPath,
    ['--conditions=@mintmark/source', fileURLToPath(new URL('./testing-process.ts', import.meta.url))],
    {
      env: { ...process.env, DATABASE_URL: url, SECRET_KEYS: secretKeys },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  closers.push(kill)
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(([code]) => Promise.reject(new Error(`the sending process ended with ${code}`))),
  ])
  return kill
}

test('a process that is killed between sending and noting leaves the event to the next one, which sends it again under its id', async () => {
  const fixture = await open()
  const recorder = fixture.another({ deliver: false })
  await recorder.start()
  const to = await listen(hangs)
  const { account, client } = await fixture.account(recorder)
  const { id, secret = '' } = await operations.configure(client, { url: to.url })
  const kill = await sender(fixture)
  await fixture.record(recorder, account, 'settlement.settled')
  await until(() => to.received.length === 1)
  await kill()
  expect((await operations.deliveries(client, { id })).list).toMatchObject([
    { status: 'PENDING', attempts: 0 },
  ])

  to.behavior = accepts
  const next = fixture.another()
  await next.start()
  await until(async () => (await operations.deliveries(client, { id })).list[0]?.status === 'DELIVERED')
  // A slow machine may take this attempt for lost, too.
  expect(to.received.length).toBeGreaterThanOrEqual(2)
  const ids = to.received.map(({ body, headers }) => {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return headers['webhook-id']
  })
  expect(new Set(ids).size).toBe(1)
})

test('a process that is killed again and again loses nothing: each event of each commit arrives', async () => {
  const fixture = await open()
  const recorder = fixture.another({ deliver: false })
  await recorder.start()
  const to = await listen()
  const { account, client } = await fixture.account(recorder)
  await operations.configure(client, { url: to.url })
  const expected: string[] = []
  for (let round = 0; round < 4; round += 1) {
    const kill = await sender(fixture)
    const before = to.received.length
    const recorded = await fixture.record(
      recorder,
      account,
      ...Array.from({ length: 25 }, () => 'settlement.settled' as const),
    )
    expected.push(...recorded.map((event) => `evt_${event.id}`))
    await until(() => to.received.length >= before + 5)
    await kill()
  }
  const next = fixture.another()
  await next.start()
  await until(() => new Set(to.received.map(({ headers }) => headers['webhook-id'])).size >= expected.length)
  expect(new Set(to.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(expected))
})

describe('several processes', () => {
  test('send each event once between them', async () => {
    const fixture = await open()
    const [one, two] = [fixture.another(patient), fixture.another(patient)]
    await Promise.all([one.start(), two.start()])
    const to = await listen()
    const { account, client } = await fixture.account(one)
    const { id } = await operations.configure(client, { url: to.url })
    const recorded = await fixture.record(
      one,
      account,
      ...Array.from({ length: 60 }, () => 'settlement.settled' as const),
    )
    await until(async () => {
      const { list } = await operations.deliveries(client, { id, pageSize: 100 })
      return list.length === 60 && list.every(({ status }) => status === 'DELIVERED')
    })
    expect(to.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      recorded.map((event) => `evt_${event.id}`).sort(),
    )
  })

  test('finish the deliveries in progress when they stop', async () => {
    const fixture = await open()
    const webhooks = fixture.another()
    await webhooks.start()
    const to = await listen((response) => setTimeout(() => accepts(response, 1), 200))
    const { account, client } = await fixture.account(webhooks)
    const { id } = await operations.configure(client, { url: to.url })
    await fixture.record(webhooks, account, 'settlement.settled')
    await until(() => to.received.length === 1)
    await webhooks.stop()
    expect((await operations.deliveries(client, { id })).list).toMatchObject([
      { status: 'DELIVERED', attempts: 1 },
    ])
  })
})
