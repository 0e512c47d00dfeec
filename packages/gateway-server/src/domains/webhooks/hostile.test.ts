import { accepts, hangs } from '@mintmark/devkit/testing'
import { eventWebhooks } from '@mintmark/events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDeliveryFixture, type DeliveryFixture } from './testing-delivery.ts'

let fixture: DeliveryFixture | undefined
afterEach(async () => {
  await fixture?.close()
  fixture = undefined
})

async function open(...parameters: Parameters<typeof createDeliveryFixture>): Promise<DeliveryFixture> {
  fixture = await createDeliveryFixture(...parameters)
  return fixture
}

const eventually = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 170_000, interval: 10 })

describe('receivers that hang', () => {
  it('receivers that hang never delay the messages of another project, even if they occupy more attempts than there are slots', async () => {
    // Longer than the test, so that no attempt of a hanging receiver ends.
    const opened = await open({ timeoutMs: 500_000, expireSeconds: 600 })
    const hostile = await opened.createProject()
    const hanging = await opened.openReceiver(hangs)
    for (let count = 0; count < 20; count += 1) {
      await eventWebhooks.configure(hostile.client, { url: hanging.url })
    }
    await opened.addEvents(hostile, ...Array.from({ length: 5 }, () => 'order.paid' as const))
    await eventually(() => expect(hanging.received.length).toBeGreaterThanOrEqual(64))

    const working = await opened.createProject()
    const receiver = await opened.openReceiver()
    await eventWebhooks.configure(working.client, { url: receiver.url })
    await opened.addEvents(working, 'order.paid', 'order.failed')
    await eventually(() => expect(receiver.received).toHaveLength(2))
    // Each webhook has at most four messages in progress.
    expect(hanging.received.length).toBeLessThanOrEqual(80)
    await opened.closeReceivers()
  })
})

it('the response of a receiver is read only at its beginning: the rest of 10 MB is not sent', async () => {
  const opened = await open()
  const project = await opened.createProject()
  const size = 10 * 1024 * 1024
  let sent = 0
  const receiver = await opened.openReceiver((response) => {
    response.writeHead(200, { 'content-length': size })
    const write = () => {
      while (sent < size && !response.destroyed) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536))) return
      }
    }
    response.on('drain', write)
    write()
  })
  const { id } = await eventWebhooks.configure(project.client, { url: receiver.url })
  await opened.addEvents(project, 'order.paid')
  const list = async () => (await eventWebhooks.deliveries(project.client, { id })).list
  await eventually(async () => expect(await list()).toMatchObject([{ status: 'DELIVERED' }]))
  expect(receiver.received).toHaveLength(1)
  // The buffers of both sockets take some of it.
  expect(sent).toBeLessThan(size)
})

it('the address of a webhook is checked for each connection, so that a name that changed to a private address receives nothing', async () => {
  const addresses = ['93.184.215.14']
  const resolve = async () => addresses
  const settings = { allowPrivate: false, resolve }
  const opened = await open(settings, { webhooks: settings })
  const project = await opened.createProject()
  const receiver = await opened.openReceiver(accepts)
  const url = `https://hooks.example.com:${receiver.port}/`
  const { id } = await eventWebhooks.configure(project.client, { url })
  addresses[0] = '127.0.0.1'
  await opened.addEvents(project, 'order.paid')
  const list = async () => (await eventWebhooks.deliveries(project.client, { id })).list
  await eventually(async () => expect(await list()).toMatchObject([{ status: 'FAILED', attempts: 4 }]))
  expect((await list())[0]?.log.map(({ error }) => error)).toEqual(
    Array.from({ length: 4 }, () => 'The host has an address that is not public'),
  )
  expect(receiver.received).toEqual([])
  for (const refused of [url, 'http://93.184.215.14/', 'https://169.254.169.254/', 'https://[::1]/']) {
    await expect(eventWebhooks.configure(project.client, { id, url: refused })).rejects.toMatchObject({
      kind: 'InvalidInput',
      issues: [{ path: 'url' }],
    })
  }
})
