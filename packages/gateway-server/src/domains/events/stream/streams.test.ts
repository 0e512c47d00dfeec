import { events, type GatewayEvent } from '@mintmark/events'
import { type Listening, listen } from '@mintmark/server-kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { revokeKey, rotateKey } from '../../../keys/keys-store.ts'
import { createCardClient } from '../../../testing/cards.ts'
import {
  addEvents,
  createStreamClient,
  listIds,
  openRawStream,
  type RawStreamOptions,
  sequenceEvents,
} from '../../../testing/event-streams.ts'
import { type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'

let gateway: TestGateway
let listening: Listening
/** A gateway that sends heartbeats quickly, and allows few streams. */
let limited: Listening
beforeAll(async () => {
  gateway = await testGateway()
  listening = await listen(gateway.app, { port: 0 })
  const eventStreams = { heartbeatMs: 20, streamsPerProject: 2, streams: 3 }
  limited = await listen(await gateway.another({ eventStreams }), { port: 0 })
  await gateway.eventStreams.ready
})
afterAll(async () => {
  await gateway.close()
  await listening.close()
  await limited.close()
})

let projects = 0
function newKey(): Promise<TestKey> {
  projects += 1
  return gateway.newKey({ project: `project ${projects}` })
}

const open = (key: TestKey, options?: RawStreamOptions) => openRawStream(listening.url, key, options)
const openLimited = (key: TestKey, options?: RawStreamOptions) => openRawStream(limited.url, key, options)

/** Opens a stream, repeatedly while the server has too many: it notices late that one was closed. */
async function openWhenAllowed(key: TestKey) {
  for (;;) {
    const stream = await openLimited(key)
    if (stream.response.status === 200) return stream
    expect(stream.response.status).toBe(429)
    await stream.readAll()
  }
}

it('a stream sends stored events and then new ones as server-sent events', async () => {
  const key = await newKey()
  const cards = createCardClient(gateway, key)
  const first = await cards.create('promoCodeCards')
  await sequenceEvents(gateway)
  const stream = await open(key, { query: 'after=0' })
  expect(stream.response.status).toBe(200)
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  })
  const text = await stream.readUntil('}}}\n\n')
  expect(text).toMatch(/^retry: \d{4}\n\nid: 1\ndata: \{"id":"evt_.*"subject":"card\/\d+".*\}\n\n$/)
  expect(text).toContain(`card/${first.id}`)
  const second = await cards.create('promoCodeCards')
  await sequenceEvents(gateway)
  expect(await stream.readUntil('id: 2\n')).toContain(`card/${second.id}`)
  stream.close()
})

it('a stream begins with the oldest event without a place', async () => {
  const key = await newKey()
  await addEvents(gateway, key.projectId, 2)
  const stream = await open(key)
  expect(listIds(await stream.readUntil('id: 2\ndata'))).toEqual([1, 2])
  stream.close()
})

it('a stream continues after the Last-Event-ID header, which replaces the query', async () => {
  const key = await newKey()
  await addEvents(gateway, key.projectId, 5)
  const stream = await open(key, { query: 'after=0', headers: { 'last-event-id': '3' } })
  expect(listIds(await stream.readUntil('id: 5\ndata'))).toEqual([4, 5])
  stream.close()
})

it('a stream sends the data of an event that the list returns', async () => {
  const key = await newKey()
  const client = createStreamClient(listening.url, key)
  await createCardClient(gateway, key).create('eventCards')
  await sequenceEvents(gateway)
  const listed = await events.list(client)
  const streamed: GatewayEvent[] = []
  for await (const event of events.stream(client)) {
    streamed.push(event)
    if (event.sequence === listed.next) break
  }
  expect(streamed).toEqual(listed.events)
})

it.each([
  [
    'a number that the feed has not reached',
    { query: 'after=7' },
    400,
    'after: The newest event has the number 0',
  ],
  [
    'a header that is no number',
    { headers: { 'last-event-id': 'x' } },
    400,
    'Last-Event-ID: Expected the id of a message',
  ],
  [
    'a header that is ahead',
    { headers: { 'last-event-id': '7' } },
    400,
    'Last-Event-ID: The newest event has the number 0',
  ],
  [
    'a type that does not exist',
    { query: 'types=order.lost' },
    400,
    'types: No type of event matches "order.lost"',
  ],
  [
    'a group that does not exist, with the one that was meant',
    { query: 'types=oder.*' },
    400,
    'types: No type of event matches "oder.*". Did you mean order.*?',
  ],
])('a stream is refused before it begins: %s', async (_, options, status, msg) => {
  const stream = await open(await newKey(), options)
  expect(stream.response.status).toBe(status)
  expect(stream.response.headers.get('content-type')).toBe('application/json')
  expect(JSON.parse(await stream.readAll())).toMatchObject({ code: status, msg, success: false })
})

it('a filter of types lets stored and new events of matching types pass', async () => {
  const key = await newKey()
  const add = async (type: string, count: number) => await addEvents(gateway, key.projectId, count, { type })
  await add('card.created', 2)
  await add('order.paid', 1)
  const cards = await open(key, { query: 'types=card.%2A' })
  const other = await open(key, { query: 'types=order.paid,mint.%2A' })
  await cards.readUntil('id: 2\ndata')
  await other.readUntil('id: 3\ndata')
  await add('order.created', 1)
  await add('mint.signed', 1)
  await add('card.removed', 1)
  await add('order.paid', 1)
  expect(listIds(await cards.readUntil('id: 6\ndata'))).toEqual([1, 2, 6])
  expect(listIds(await other.readUntil('id: 7\ndata'))).toEqual([3, 5, 7])
  cards.close()
  other.close()
})

it('a filter of types that nothing matches moves the place in heartbeats', async () => {
  const key = await newKey()
  await addEvents(gateway, key.projectId, 12_000)
  const stream = await openLimited(key, { query: 'types=order.paid' })
  await stream.readUntil(':\nid: 12000\n\n')
  await addEvents(gateway, key.projectId, 1)
  expect(listIds(await stream.readUntil(':\nid: 12001\n\n'))).toEqual([])
  stream.close()
})

it('streams of several projects have the events of their own project only', async () => {
  const [mine, theirs] = [await newKey(), await newKey()]
  const [myStream, theirStream] = [await open(mine), await open(theirs)]
  for (let round = 0; round < 3; round += 1) {
    await addEvents(gateway, mine.projectId, 1, { type: 'card.created' })
    await addEvents(gateway, theirs.projectId, 1, { type: 'order.paid' })
  }
  const [myText, theirText] = [
    await myStream.readUntil('id: 3\ndata'),
    await theirStream.readUntil('id: 3\ndata'),
  ]
  expect(myText).not.toContain('order.paid')
  expect(myText).not.toContain(`"projectId":${theirs.projectId},`)
  expect(theirText).not.toContain('card.created')
  expect(listIds(theirText)).toEqual([1, 2, 3])
  myStream.close()
  theirStream.close()
})

it('the limits of open streams refuse further streams of a project and of the process until one is closed', async () => {
  const [first, second, third] = [await newKey(), await newKey(), await newKey()]
  const streams = [await openWhenAllowed(first), await openWhenAllowed(first), await openWhenAllowed(second)]
  const ofProject = await openLimited(first)
  expect(ofProject.response.status).toBe(429)
  expect(ofProject.response.headers.get('retry-after')).toBe('5')
  expect(await ofProject.readAll()).toContain(
    'The project has 2 open streams of events. Close one, or retry later',
  )
  const ofProcess = await openLimited(third)
  expect(ofProcess.response.status).toBe(429)
  expect(await ofProcess.readAll()).toContain('The server has too many open streams of events. Retry later')
  for (const stream of streams) stream.close()
  const reopened = await openWhenAllowed(third)
  reopened.close()
})

it('the limits of open streams count no stream whose body nobody reads', async () => {
  const key = await newKey()
  const app = await gateway.another({ eventStreams: { heartbeatMs: 10, drainMs: 30, streams: 1 } })
  const request = () => key.request({ path: '/api/v1/events/stream' })
  const ignored = await app.fetch(new Request(request(), { method: 'GET' }))
  expect(ignored.status).toBe(200)
  let status = 429
  while (status === 429) status = (await app.fetch(request())).status
  expect(status).toBe(200)
})

it('the limits of open streams do not use up the concurrent calls of the project', async () => {
  const key = await newKey()
  const app = await gateway.another({ concurrentCalls: 1 })
  const busy = await listen(app, { port: 0 })
  const stream = await openRawStream(busy.url, key)
  await stream.readUntil('retry')
  expect((await events.list(createStreamClient(busy.url, key))).events).toEqual([])
  stream.close()
  await busy.close()
})

it('a key that is no longer valid ends the open streams within a heartbeat, and the client ends in an error', async () => {
  const key = await newKey()
  const stream = await openLimited(key)
  await stream.readUntil('retry')
  const reading = events.stream(createStreamClient(limited.url, key)).next()
  await revokeKey(gateway.owner.system, key.apiKey)
  expect(await stream.readAll()).not.toContain('data')
  await expect(reading).rejects.toMatchObject({ kind: 'Unauthorized', status: 401 })
})

it('a key that is no longer valid ends the streams that a retired secret has signed', async () => {
  const key = await newKey()
  const stream = await openLimited(key)
  await stream.readUntil('retry')
  const secret = await rotateKey(gateway.owner.system, gateway.sealer, key.apiKey, 0)
  await stream.readAll()
  const renewed = createStreamClient(limited.url, { ...key, secret })
  await addEvents(gateway, key.projectId, 1)
  const { value } = await events.stream(renewed).next()
  expect(value).toMatchObject({ sequence: 1 })
})

it('a key that is no longer valid without the scope opens no stream', async () => {
  const key = await gateway.newKey({ project: 'scopes', scopes: ['cards:read'] })
  const stream = await open(key)
  expect(stream.response.status).toBe(403)
  expect(await stream.readAll()).toContain('The key lacks the scope events:read')
})
