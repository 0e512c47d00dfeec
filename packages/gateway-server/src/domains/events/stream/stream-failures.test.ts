import { once } from 'node:events'
import { connect } from 'node:net'
import { randomFrom } from '@mintmark/devkit/random'
import { events } from '@mintmark/events'
import { createLog, type Listening, listen, readEnvironment } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from '../../../main/server.ts'
import { createCardClient } from '../../../testing/cards.ts'
import { startCuttingProxy } from '../../../testing/cutting-proxy.ts'
import { addEvents, createStreamClient, listIds, openRawStream } from '../../../testing/event-streams.ts'
import { type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'
import { deleteOldEvents } from '../retention.ts'

let gateway: TestGateway
let listening: Listening
/** A gateway beside the first one, whose streams are checked quickly. */
let other: Listening
beforeAll(async () => {
  gateway = await testGateway()
  listening = await listen(gateway.app, { port: 0 })
  const eventStreams = { heartbeatMs: 20, drainMs: 200 }
  other = await listen(await gateway.another({ eventStreams }), { port: 0 })
  await gateway.eventStreams.ready
})
afterAll(async () => {
  await gateway.close()
  await listening.close()
  await other.close()
})

let projects = 0
function newKey(): Promise<TestKey> {
  projects += 1
  return gateway.newKey({ project: `project ${projects}` })
}

/** Reads a stream up to an event. Returns the numbers of all events. */
async function readTo(stream: AsyncIterable<{ sequence: number }>, last: number): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence } of stream) {
    sequences.push(sequence)
    if (sequence === last) break
  }
  return sequences
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('streams whose connections are cut anywhere', () => {
  it.each([1, 2])('return every event once, from two gateways beside each other (seed %i)', async (seed) => {
    const random = randomFrom(seed)
    const key = await newKey()
    const proxy = await startCuttingProxy([listening.port, other.port], random)
    const client = createStreamClient(proxy.url, key)
    const count = 60
    const readers = range(4).map(() => readTo(events.stream(client, { after: 0 }), count))
    for (let added = 0; added < count; ) {
      const more = Math.min(1 + random.integer(5), count - added)
      // Without a notification, the events are found by the regular search.
      await addEvents(gateway, key.projectId, more, { bytes: 200, notify: random.chance(0.7) })
      added += more
    }
    await expect.poll(proxy.cuts).toBeGreaterThan(10)
    proxy.heal()
    for (const sequences of await Promise.all(readers)) expect(sequences).toEqual(range(count))
    await proxy.close()
  })
})

it('a client that never reads is disconnected and delays no other stream', async () => {
  const key = await newKey()
  const { headers } = key.request({ path: '/api/v1/events/stream', query: 'after=0' })
  const socket = connect(other.port, '127.0.0.1')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const closed = once(socket, 'close')
  // A connection that is reset reports an error.
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/v1/events/stream?after=0 HTTP/1.1\r\nHost: gateway.test\r\n${lines}\r\n`)
  const reading = readTo(events.stream(createStreamClient(other.url, key), { after: 0 }), 320)
  for (let added = 0; added < 320; added += 40)
    await addEvents(gateway, key.projectId, 40, { bytes: 100_000 })
  expect(await reading).toEqual(range(320))
  await expect.poll(() => gateway.logged.some((line) => line.includes('"reason":"slow"'))).toBe(true)
  socket.resume()
  await closed
})

describe('a stream', () => {
  it('a stream receives events after its listening connection was killed, and events without a notification', async () => {
    const key = await newKey()
    const stream = await openRawStream(listening.url, key)
    await stream.readUntil('retry')
    const { rows } = await sql<{ count: number }>`
      select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'mintmark-gateway-listener'`.execute(
      gateway.owner.system,
    )
    expect(rows[0]?.count).toBeGreaterThan(0)
    await addEvents(gateway, key.projectId, 1)
    await stream.readUntil('id: 1\ndata')
    await addEvents(gateway, key.projectId, 1, { notify: false })
    await stream.readUntil('id: 2\ndata')
    await addEvents(gateway, key.projectId, 1)
    expect(listIds(await stream.readUntil('id: 3\ndata'))).toEqual([1, 2, 3])
    stream.close()
  })

  it('a stream ignores notifications that are not those of the gateway', async () => {
    const key = await newKey()
    const stream = await openRawStream(listening.url, key)
    for (const payload of ['', '{', '{}', '[null, "x", -1, 1e99]']) {
      await sql`select pg_notify('mintmark_gateway_events', ${payload})`.execute(gateway.owner.system)
    }
    await addEvents(gateway, key.projectId, 1)
    await stream.readUntil('id: 1\ndata')
    stream.close()
  })

  it('a stream ends when its events were deleted before it could send them, and the client reports it', async () => {
    const key = await newKey()
    await addEvents(gateway, key.projectId, 10)
    const stream = events.stream(createStreamClient(other.url, key), { after: 0 })
    expect((await stream.next()).value).toMatchObject({ sequence: 1 })
    await addEvents(gateway, key.projectId, 200, { bytes: 100_000, notify: false })
    await sql`update gateway.events set recorded_at = clock_timestamp() - interval '40 days'
      where project_id = ${key.projectId} and sequence < 205`.execute(gateway.owner.system)
    await deleteOldEvents(gateway.owner.pool, 30)
    await expect(readTo(stream, 210)).rejects.toMatchObject({ status: 410, reason: 'EVENTS_EXPIRED' })
    const remaining = await readTo(events.stream(createStreamClient(other.url, key)), 210)
    expect(remaining).toEqual([205, 206, 207, 208, 209, 210])
  })

  it('a stream ends when an earlier state of the database was restored', async () => {
    const key = await newKey()
    await addEvents(gateway, key.projectId, 5)
    const stream = events.stream(createStreamClient(listening.url, key), { after: 4 })
    expect((await stream.next()).value).toMatchObject({ sequence: 5 })
    await sql`with deleted as (delete from gateway.events where project_id = ${key.projectId} and sequence > 3)
      update gateway.event_counts set newest = 3 where project_id = ${key.projectId}`.execute(
      gateway.owner.system,
    )
    await expect(stream.next()).rejects.toMatchObject({ status: 400, kind: 'InvalidInput' })
  })
})

describe('a gateway that stops', () => {
  it('a gateway that stops ends its streams, and clients resume at another one that numbers the events', async () => {
    const key = await newKey()
    const start = () =>
      startGateway(
        readEnvironment({ DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys, GATEWAY_PORT: '0' }),
        createLog('gateway', 'silent'),
      )
    const [first, second] = [await start(), await start()]
    const cards = createCardClient(gateway, key)
    const raw = await openRawStream(first.url, key)
    await cards.create('promoCodeCards')
    await raw.readUntil('id: 1\ndata')
    let target = first.url
    const client = createStreamClient(first.url, key, (url) => url.replace(first.url, target))
    const stream = events.stream(client, { after: 0 })
    expect((await stream.next()).value).toMatchObject({ sequence: 1 })
    const next = stream.next()
    target = second.url
    await first.close()
    // The end of a complete response, not a connection that was cut.
    expect(listIds(await raw.readAll())).toEqual([1])
    await cards.create('promoCodeCards')
    expect((await next).value).toMatchObject({ sequence: 2 })
    await stream.return()
    await second.close()
  })
})
