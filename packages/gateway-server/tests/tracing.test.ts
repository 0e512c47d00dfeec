import { promoCodeCards } from '@mintmark/cards'
import { accepts, fails, receiver as startReceiver, startTraceReceiver } from '@mintmark/devkit/testing'
import { eventWebhooks } from '@mintmark/events'
import { createLog, createSealer, createSecretKey, readEnvironment } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { withTracing } from '@mintmark/transport/opentelemetry'
import { addressBook } from '@mintmark/wallet'
import { propagation } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGatewayDatabase } from '../src/database/database.ts'
import { createKey } from '../src/keys/keys-store.ts'
import { readConfiguration } from '../src/main/configuration.ts'
import { startGateway } from '../src/main/server.ts'
import { createGatewayDatabase } from '../src/testing/gateway.ts'

/** The kinds of spans on the wire. */
const SERVER = 2
const CLIENT = 3

const secretKeys = createSecretKey('test')
const exporter = new InMemorySpanExporter()
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const signatures: string[] = []

async function startServer(stops: AsyncDisposableStack) {
  const receiver = await startTraceReceiver()
  stops.defer(() => receiver.close())
  const place = await createGatewayDatabase()
  stops.defer(() => place.drop())
  const database = openGatewayDatabase({ url: place.url, max: 1 })
  stops.defer(() => database.close())
  const settings = {
    DATABASE_URL: place.url,
    SECRET_KEYS: secretKeys,
    GATEWAY_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '10',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  const lines: string[] = []
  const log = createLog('gateway', 'info', { write: (line: string) => void lines.push(line) }, true)
  const env = readEnvironment(settings)
  const { tracing } = readConfiguration(env)
  const server = await startGateway(env, log, {
    configuration: { tracing: tracing && { ...tracing, jobMinMs: 0 } },
  })
  stops.defer(() => server.close())
  const sealer = createSealer(secretKeys)
  const { apiKey, secret } = await createKey(database.system, sealer, { project: 'shop', name: 'shop' })
  const options = {
    baseUrl: server.url,
    credentials: { apiKey, secret },
    fetch: (url: string, init: RequestInit) => {
      signatures.push(new Headers(init.headers).get('x-signature') ?? '')
      return fetch(url, init)
    },
  }
  const gateway = withTracing(createGateway, options, { tracerProvider })
  return { receiver, lines, gateway, apiKey, secret, databaseUrl: place.url }
}

describe('a call of a traced client to a traced gateway', () => {
  const stops = new AsyncDisposableStack()
  let fixture: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    stops.defer(() => propagation.disable())
    fixture = await startServer(stops)
  })
  afterAll(() => stops.disposeAsync())

  it('a call of a traced client to a traced gateway is one trace, from the call through the server to its statements', async () => {
    const { gateway, receiver, lines } = fixture
    exporter.reset()
    const card = await promoCodeCards.create(gateway, {
      name: 'A name-zz4711',
      nftAddress: '0x00000000000000000000000000000000000000aa',
      nftId: '7',
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-12-31T23:59:59Z',
      totalIssued: 100,
      applicableStores: ['store-zz4711'],
    })
    const [attempt, call] = exporter.getFinishedSpans()
    const traceId = call?.spanContext().traceId
    const find = () => receiver.spans.filter((span) => span.traceId === traceId)
    await expect.poll(() => find().some(({ kind }) => kind === SERVER)).toBe(true)

    const spans = find()
    const server = spans.find(({ kind }) => kind === SERVER)
    expect(server).toMatchObject({
      service: 'mintmark-gateway',
      name: 'promoCodeCards.create',
      parentSpanId: attempt?.spanContext().spanId,
      attributes: {
        'http.request.method': 'POST',
        'http.route': promoCodeCards.create.path,
        'http.response.status_code': 200,
        'http.response.header.x-request-id': attempt?.attributes['http.response.header.x-request-id'],
      },
    })
    const statements = spans.filter(({ kind }) => kind === CLIENT)
    expect(statements.length).toBe(spans.length - 1)
    for (const { parentSpanId } of statements) expect(parentSpanId).toBe(server?.spanId)
    const names = statements.map(({ name }) => name)
    for (const name of ['INSERT gateway.used_signatures', 'INSERT gateway.cards'])
      expect(names).toContain(name)
    expect(statements.map(({ attributes }) => attributes['db.query.summary'])).toEqual(names)
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(logged.find(({ operation }) => operation === 'promoCodeCards.create')).toMatchObject({
      trace_id: traceId,
      span_id: server?.spanId,
    })
    expect(card.name).toBe('A name-zz4711')
  })

  it('a call of a traced client to a traced gateway includes short reads, which share a connection', async () => {
    const { gateway, receiver } = fixture
    exporter.reset()
    await Promise.all([1, 2].map((id) => promoCodeCards.get(gateway, { id }).catch(() => {})))
    const calls = exporter.getFinishedSpans().filter(({ name }) => name === 'promoCodeCards.get')
    expect(calls).toHaveLength(2)
    for (const call of calls) {
      const { traceId } = call.spanContext()
      const find = () => receiver.spans.filter((span) => span.traceId === traceId)
      await expect.poll(() => find().some(({ kind }) => kind === SERVER)).toBe(true)
      const names = find().map(({ name }) => name)
      expect(names).toContain('SELECT gateway.cards')
    }
  })

  it('a call of a traced client to a traced gateway does not put the runs of jobs into its trace', async () => {
    const { receiver } = fixture
    const find = () => receiver.spans.find(({ name }) => name === 'job orders')
    await expect.poll(find).toBeDefined()
    expect(find()?.parentSpanId).toBeUndefined()
    const calls = new Set(receiver.spans.filter(({ kind }) => kind === SERVER).map(({ traceId }) => traceId))
    const jobs = receiver.spans.filter(({ attributes }) => attributes['mintmark.job'] !== undefined)
    expect(jobs.filter(({ traceId }) => calls.has(traceId))).toEqual([])
  })

  it('a call of a traced client to a traced gateway does not contain the deliveries of its events, each attempt of which is a trace', async () => {
    const { gateway, receiver } = fixture
    await using deliveryStops = new AsyncDisposableStack()
    const hook = await startReceiver((response, count) => (count === 1 ? fails : accepts)(response, count))
    deliveryStops.defer(() => hook.close())
    const url = `${hook.url}-zz4711?token=zz4711`
    // Events of cards that the tests before created may be delivered too: they enter the feed a moment later.
    const type = 'address_book_entry.created'
    const { id, secret = '' } = await eventWebhooks.configure(gateway, { url, events: [type] })
    const [owner, address] = [
      '0x00000000000000000000000000000000000000aa',
      '0x00000000000000000000000000000000000000bb',
    ]
    await addressBook.add(gateway, { owner, address, name: 'A name-zz4711' })
    const find = () => receiver.spans.filter(({ name }) => name === `webhook ${type}`)
    await expect.poll(() => find().length).toBe(2)
    const [failed, repeated] = find()
    const common = { 'mintmark.event.type': type, 'mintmark.webhook.id': id }
    expect(failed).toMatchObject({ service: 'mintmark-gateway', kind: CLIENT, status: 2 })
    expect(failed?.attributes).toEqual({
      ...common,
      'mintmark.webhook.attempt': 1,
      'http.response.status_code': 500,
      'error.type': '500',
    })
    expect(repeated).toMatchObject({ kind: CLIENT, status: 0 })
    expect(repeated?.attributes).toEqual({
      ...common,
      'mintmark.webhook.attempt': 2,
      'http.response.status_code': 204,
    })
    for (const span of [failed, repeated]) expect(span?.parentSpanId).toBeUndefined()
    expect(failed?.traceId).not.toBe(repeated?.traceId)
    const signature = String(hook.received[0]?.headers['webhook-signature'])
    signatures.push(secret, signature, signature.replace('v1,', ''))
  })

  it('a call of a traced client to a traced gateway exports neither keys, secrets and signatures nor the values of fields, queries and statements', () => {
    const { receiver, apiKey, secret, databaseUrl } = fixture
    const exported = receiver.bodies.join('\n')
    const password = new URL(databaseUrl).password || 'no-password'
    expect(signatures.length).toBeGreaterThan(2)
    expect(exported).toContain('promoCodeCards.create')
    // Ids of spans are random hexadecimal digits, so that a value without other letters could be in one.
    for (const hidden of [apiKey, secret, secretKeys, password, 'zz4711', 'signature=', '$1', ...signatures])
      expect(exported).not.toContain(hidden)
  })
})
