import { accepts, type Receiver, receiver } from '@mintmark/devkit/testing'
import { webhooks as operations } from '@mintmark/facilitator'
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
