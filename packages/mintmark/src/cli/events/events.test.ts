import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventTypes } from '@mintmark/events'
import { verifyWebhook } from 'mintmark'
import { expect, it, vi } from 'vitest'
import { listIssues } from '../schema-issues.ts'
import { createRecorder, createStub, respondWith, runCommand, VARIABLES } from '../testing/run-command.ts'
import { createSampleEvent } from './trigger.ts'

const WAIT = { timeout: 60_000 }
const SECRET = 'whsec_dGVzdA=='
const types = Object.keys(eventTypes)

/** Starts a receiver of webhooks, which responds with a status. */
async function startReceiver(status = 204) {
  const received: { headers: Record<string, string>; body: string }[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    received.push({
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(parts).toString(),
    })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    address: `127.0.0.1:${port}/hooks`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const toEvent = (sequence: number) => ({
  ...createSampleEvent('order.paid'),
  id: `evt_${sequence}`,
  sequence,
})

function toMessages(sequences: readonly number[]): string {
  return sequences.map((each) => `id: ${each}\ndata: ${JSON.stringify(toEvent(each))}\n\n`).join('')
}

/** A gateway whose stream is cut after each part. The last connection stays open. */
function createFeed(parts: readonly (readonly number[])[], newest = 0) {
  let connections = 0
  return createStub(({ url }) => {
    if (!url.includes('/stream')) return respondWith({ events: [], next: 0, hasMore: newest > 0, newest })
    const part = parts[connections]
    connections += 1
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`retry: 1\n\n${toMessages(part ?? [])}`))
        if (connections < parts.length) controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
}

it.each(types)('mintmark trigger creates an event of the type %s whose data its schema accepts', (type) => {
  const event = createSampleEvent(type)
  const declared = Object.entries(eventTypes).find(([name]) => name === type)
  expect(declared && listIssues(declared[1].data, event.data)).toEqual([])
  expect(event.subject).toMatch(/^[a-z_]+\/.+/)
})

it('mintmark trigger sends an event that the receiver can verify', async () => {
  await using receiver = await startReceiver()
  const words = ['trigger', 'order.paid', '--forward-to', receiver.address, '--secret', SECRET]
  const { exitCode, output } = await runCommand([...words, '--data', '{"orderNo":"A-1"}'])
  expect(exitCode).toBe(0)
  expect(output).toContain('order.paid')
  expect(output).toContain('  204  ')
  const [request] = receiver.received
  const event = await verifyWebhook({ body: '', headers: {}, ...request, secrets: SECRET })
  expect(event).toMatchObject({ type: 'order.paid', data: { orderNo: 'A-1' } })
})

it('mintmark trigger ends with 1 when the receiver does not accept the event', async () => {
  await using receiver = await startReceiver(500)
  const refused = await runCommand(['trigger', 'order.paid', '--forward-to', receiver.address])
  expect(refused.exitCode).toBe(1)
  expect(refused.errors).toContain('The receiver did not accept the event: 500')
  const closed = await runCommand(['trigger', 'order.paid', '--forward-to', '127.0.0.1:9'])
  expect(closed.exitCode).toBe(1)
})

it('mintmark trigger prints the event without a receiver, and lists the types', async () => {
  const { output } = await runCommand(['trigger', 'card.created'])
  expect(JSON.parse(output)).toMatchObject({ type: 'card.created', data: { program: 'promoCodeCards' } })
  const list = await runCommand(['trigger', 'list'])
  expect(list.output.split('\n').slice(0, -1)).toHaveLength(types.length)
})

it.each([
  [['order.lost'], 'Types: order.created'],
  [['lost'], '`mintmark trigger list` lists all'],
  [['order.paid', '--data', '[]'], '--data: Expected a JSON object'],
  [['order.paid', '--data', '{"orderNo":7}'], '--data: orderNo: Expected string, received number'],
  [['order.paid', '--forward-to', 'http://'], '--forward-to: Expected a URL'],
])('mintmark trigger ends with 2 for %s', async (words, message) => {
  const { exitCode, errors } = await runCommand(['trigger', ...words])
  expect(errors).toContain(message)
  expect(exitCode).toBe(2)
})

it('mintmark listen forwards each new event once, signed, and continues after a lost connection', async () => {
  await using receiver = await startReceiver()
  const interruption = new AbortController()
  const { requests, fetch: feed } = createFeed([[8, 9], [10], []], 7)
  const fetch = (url: string, init: RequestInit) =>
    url.startsWith('http://gateway.test') ? feed(url, init) : globalThis.fetch(url, init)
  const screen = createRecorder()
  const words = ['listen', '--forward-to', receiver.address, '--types', 'order.*', '--secret', SECRET]
  const done = runCommand(words, { fetch, signal: interruption.signal, output: screen.stream })
  await vi.waitFor(() => expect(screen.read().split('\n')).toHaveLength(4), WAIT)
  // The place, and three connections.
  await vi.waitFor(() => expect(requests).toHaveLength(4), WAIT)
  interruption.abort()
  expect((await done).exitCode).toBe(0)
  const events = await Promise.all(
    receiver.received.map((request) => verifyWebhook({ ...request, secrets: SECRET })),
  )
  expect(events.map(({ id }) => id)).toEqual(['evt_8', 'evt_9', 'evt_10'])
  const results = screen.read().split('\n').slice(0, -1)
  expect(results.map((line) => JSON.parse(line))).toMatchObject([
    { sequence: 8, status: 204 },
    { sequence: 9, status: 204 },
    { sequence: 10, status: 204 },
  ])
  const streams = requests
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname.endsWith('/stream'))
  expect(streams.map(({ searchParams }) => searchParams.get('after')).slice(0, 3)).toEqual(['7', '9', '10'])
  expect(streams[0]?.searchParams.get('types')).toBe('order.*')
})

it('mintmark listen reports a receiver that does not respond, and forwards the next event', async () => {
  const interruption = new AbortController()
  const { fetch: feed } = createFeed([[1, 2]])
  const fetch = async (url: string, init: RequestInit) => {
    if (url.startsWith('http://gateway.test')) return await feed(url, init)
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  }
  const screen = createRecorder()
  const words = ['listen', '--forward-to', 'localhost:3000/hooks']
  const done = runCommand(words, { fetch, signal: interruption.signal, output: screen.stream })
  await vi.waitFor(() => expect(screen.read().split('\n')).toHaveLength(3), WAIT)
  interruption.abort()
  const { errors } = await done
  expect(JSON.parse(screen.read().split('\n')[0] ?? '')).toMatchObject({ failure: 'ECONNREFUSED' })
  expect(errors).toContain('go to http://localhost:3000/hooks\nSigning secret of your receiver: whsec_')
})

it.each([
  ['--secret', ['--secret', SECRET], VARIABLES],
  ['the environment', [], { ...VARIABLES, MINTMARK_WEBHOOK_SECRET: SECRET }],
])(
  'mintmark listen does not print a secret of %s, which may be that of a webhook in use',
  async (_, flags, variables) => {
    const { requests, fetch } = createFeed([[]])
    const interruption = new AbortController()
    const words = ['listen', '--forward-to', 'localhost:3000', ...flags]
    const done = runCommand(words, { fetch, signal: interruption.signal, variables })
    // The number of the newest event, and the stream.
    await vi.waitFor(() => expect(requests).toHaveLength(2), WAIT)
    interruption.abort()
    const { errors } = await done
    expect(errors).toContain('go to http://localhost:3000')
    expect(errors).not.toContain(SECRET)
  },
)

it.each([
  ['tail', '7'],
  ['stream', null],
])('mintmark events %s begins after event %s and prints a line for each', async (command, after) => {
  const interruption = new AbortController()
  const { requests, fetch } = createFeed([[8, 9]], 7)
  const screen = createRecorder(true)
  const settings = { fetch, signal: interruption.signal, output: screen.stream }
  const done = runCommand(['events', command], settings)
  await vi.waitFor(() => expect(screen.read().split('\n')).toHaveLength(3), WAIT)
  interruption.abort()
  const { exitCode, errors } = await done
  expect(exitCode).toBe(0)
  expect(errors).toBe(command === 'tail' ? 'Waiting for events after event 7. End with Ctrl-C.\n' : '')
  expect(screen.read()).toMatch(/^ {5}8 {2}\d\d:\d\d:\d\d {2}order\.paid {20}order\/1\n/)
  const stream = requests.find(({ url }) => url.includes('/stream'))
  expect(new URL(stream?.url ?? '').searchParams.get('after')).toBe(after)
})
