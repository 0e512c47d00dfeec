import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  envelope,
  failure,
  findUnusedAddress,
  hang,
  misbehave,
  reset,
} from '../testdata/misbehaving-server.ts'
import { aThing, create, get, settle } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import { withTracing } from './opentelemetry.ts'

const secret = 'sk_live_0123456789abcdef'
const credentials = { apiKey: 'key-zz4711', secret }

const exporter = new InMemorySpanExporter()
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterEach(() => {
  exporter.reset()
  context.disable()
  propagation.disable()
})

const openGateway = (baseUrl: string, options: Partial<GatewayOptions> = {}) =>
  withTracing(createGateway, { baseUrl, credentials, ...options }, { tracerProvider })

/** Returns the ended spans: attempts in their order, then their call. */
const listSpans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()

const getParentId = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId
const getId = (span: ReadableSpan | undefined) => span?.spanContext().spanId

it('a traced client makes a span of a call, and one of its attempt, which the server continues', async () => {
  const { url, received } = await misbehave(envelope(aThing, { 'x-request-id': 'r-1' }))
  await get(openGateway(url), { id: 'seven-zz4711', tag: 'tag-zz4711' }, { headers: { 'x-own': '1' } })
  const [attempt, call] = listSpans()
  expect(listSpans()).toHaveLength(2)
  expect(call).toMatchObject({ name: 'things.get', kind: SpanKind.INTERNAL, attributes: {} })
  expect(attempt).toMatchObject({ name: 'GET /api/v1/things/{id}', kind: SpanKind.CLIENT })
  expect(attempt?.attributes).toEqual({
    'http.request.method': 'GET',
    'url.template': '/api/v1/things/{id}',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(url).port),
    'http.response.status_code': 200,
    'http.response.header.x-request-id': ['r-1'],
  })
  expect(getParentId(attempt)).toBe(getId(call))
  const { traceparent, 'x-own': own, ...others } = received[0]?.headers ?? {}
  expect(traceparent).toBe(`00-${call?.spanContext().traceId}-${getId(attempt)}-01`)
  expect(own).toBe('1')
  expect(Object.keys(others)).not.toContain('x-mintmark-call')
})

it('a traced client makes a span of each attempt of a call that is retried', async () => {
  const { url, received } = await misbehave(failure(503), envelope(aThing))
  await get(openGateway(url), { id: '7' })
  const [first, second, call] = listSpans()
  expect(first?.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' })
  expect(first?.attributes).not.toHaveProperty('http.request.resend_count')
  expect(second?.attributes).toMatchObject({
    'http.response.status_code': 200,
    'http.request.resend_count': 1,
  })
  expect([getParentId(first), getParentId(second)]).toEqual([getId(call), getId(call)])
  expect(call?.status.code).toBe(SpanStatusCode.UNSET)
  expect(received.map(({ headers }) => headers.traceparent)).toEqual(
    [first, second].map((span) => expect.stringContaining(getId(span) ?? 'none')),
  )
})

it('a traced client continues the trace of the program, for concurrent calls too', async () => {
  const { url, received } = await misbehave(envelope(aThing))
  const gateway = openGateway(url)
  const tracer = tracerProvider.getTracer('program')
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      tracer.startActiveSpan(name, async (span) => {
        await get(gateway, { id: name })
        span.end()
      }),
    ),
  )
  const byId = new Map(listSpans().map((span) => [getId(span), span]))
  const roots = received.map(({ path, headers }) => {
    const attempt = byId.get(String(headers.traceparent).split('-')[2] ?? '')
    const call = byId.get(getParentId(attempt))
    return [path.split('/').at(-1), byId.get(getParentId(call))?.name]
  })
  expect(roots.sort()).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'],
  ])
})

it.each([
  ['a refusal', failure(404), 'NotFound', '404'],
  ['a reset connection', reset, 'Network', expect.any(String)],
  ['no response in time', hang, 'Timeout', 'AbortError'],
])('a traced client records the kind of the error after %s', async (_, behavior, kind, errorType) => {
  const { url } = await misbehave(behavior)
  const call = get(openGateway(url, { timeout: 200, retries: 0 }), { id: '7' })
  await expect(call).rejects.toMatchObject({ kind })
  const spans = listSpans()
  expect(spans).toHaveLength(2)
  for (const span of spans) expect(span.status).toEqual({ code: SpanStatusCode.ERROR })
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([errorType, kind])
  expect(spans.flatMap(({ events }) => events)).toEqual([])
})

it('a traced client ends the span of an attempt whose fetch ignores the signal', async () => {
  const fetch = () => new Promise<Response>(() => {})
  const call = get(openGateway('http://gateway.test', { fetch, timeout: 50, retries: 0 }), { id: '7' })
  await expect(call).rejects.toMatchObject({ kind: 'Timeout' })
  expect(listSpans().map(({ attributes }) => attributes['error.type'])).toEqual(['AbortError', 'Timeout'])
})

it('a traced client records an invalid input, for which nothing is sent', async () => {
  const call = create(openGateway('http://gateway.test'), { name: 7 as never })
  await expect(call).rejects.toMatchObject({ kind: 'InvalidInput' })
  expect(listSpans().map(({ name, attributes }) => [name, attributes])).toEqual([
    ['things.create', { 'error.type': 'InvalidInput' }],
  ])
})

it('a traced client records no key, secret, signature, path, query or body', async () => {
  const { url, received } = await misbehave(failure(500), envelope(aThing))
  const gateway = openGateway(url)
  await get(gateway, { id: 'id-zz4711', tag: ['tag-zz4711'] }, { idempotencyKey: 'once-zz4711' })
  await create(gateway, { name: 'name-zz4711' })
  await expect(get(openGateway(await findUnusedAddress()), { id: 'id-zz4711' })).rejects.toThrow()
  const token = 'tok_live_0123456789abcdef'
  const facilitator = withTracing(
    createFacilitator,
    { baseUrl: url, credentials: { token } },
    { tracerProvider },
  )
  await settle(facilitator, { version: 1, amount: 'zz4711' } as never).catch(() => {})
  const recorded = JSON.stringify(
    listSpans().map(({ name, attributes, events, status, links }) => [
      name,
      attributes,
      events,
      status,
      links,
    ]),
  )
  const signatures = received
    .map(({ headers }) => String(headers['x-signature']))
    .filter((each) => each.length > 9)
  expect(signatures.length).toBeGreaterThan(1)
  for (const hidden of [secret, token, 'zz4711', ...signatures]) expect(recorded).not.toContain(hidden)
})

it('a traced client suppresses the spans of an instrumented fetch, which would name the trace a second time', async () => {
  const tracer = tracerProvider.getTracer('instrumentation')
  let added: Record<string, string> = {}
  const instrumented = async (url: string, init: RequestInit) =>
    tracer.startActiveSpan('instrumentation', async (span) => {
      added = {}
      propagation.inject(context.active(), added)
      span.end()
      return await fetch(url, init)
    })
  const { url, received } = await misbehave(envelope(aThing))
  await get(openGateway(url, { fetch: instrumented }), { id: '7' })
  expect(added).toEqual({})
  expect(listSpans().map(({ name }) => name)).toEqual(['GET /api/v1/things/{id}', 'things.get'])
  expect(received[0]?.headers.traceparent).toContain(getId(listSpans()[0]) ?? 'none')
})

it('a traced client behaves like an untraced client where the program has no SDK', async () => {
  context.disable()
  propagation.disable()
  expect(trace.getTracer('any').startSpan('any').isRecording()).toBe(false)
  const { url, received } = await misbehave(failure(503), envelope(aThing))
  const gateway = withTracing(createGateway, { baseUrl: url, credentials })
  expect(await get(gateway, { id: '7' })).toEqual(aThing)
  expect(gateway.kind).toBe('gateway')
  for (const { headers } of received) {
    expect(headers).not.toHaveProperty('traceparent')
    expect(headers).not.toHaveProperty('x-mintmark-call')
  }
})
