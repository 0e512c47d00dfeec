import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode, startTraceReceiver } from '@mintmark/devkit/testing'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { testFacilitator } from '../testing.ts'

/** The kinds of spans on the wire. */
const SERVER = 2
const CLIENT = 3

const stops = new AsyncDisposableStack()
const receiver = await startTraceReceiver()
stops.defer(() => receiver.close())
const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
stops.defer(async () => node.close())
const signerKey = devAccount(9).privateKey
const nodeKey = 'node-key-4711'
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '10' }
const upstream = await testFacilitator({
  chain: { ...chain, rpcUrl: `${node.url}/${nodeKey}` },
  signerKeys: [signerKey],
  env: { ...collector, OTEL_SERVICE_NAME: 'upstream' },
})
stops.defer(() => upstream.close())
afterAll(() => stops.disposeAsync())

const isSettle = ({ name, kind }: { name: string; kind: number }) =>
  name === 'payments.settle' && kind === SERVER
const find = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId)

test('a settle has spans of its statements and of its requests to the chain, without the address of the node', async () => {
  const { token } = await upstream.account()
  const body = await signedBody({ account: devAccount(1) })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const response = await upstream.post('/settle', body, token, { traceparent })
  expect(response.status).toBe(200)
  await expect.poll(() => find(traceId).some(isSettle)).toBe(true)

  const spans = find(traceId)
  const settle = spans.find(isSettle)
  expect(settle).toMatchObject({ service: 'upstream', parentSpanId: '00f067aa0ba902b7' })
  expect(settle?.attributes['http.response.header.x-request-id']).toEqual([
    response.headers.get('x-request-id'),
  ])
  const ids = new Set(spans.map(({ spanId }) => spanId))
  for (const { parentSpanId, kind } of spans) if (kind === CLIENT) expect(ids).toContain(parentSpanId)
  const requests = spans.filter(({ attributes }) => attributes['rpc.system.name'] === 'jsonrpc')
  expect(requests.map(({ attributes }) => attributes['rpc.method'])).toContain('eth_sendRawTransaction')
  expect(new Set(requests.map(({ attributes }) => attributes['server.address']))).toEqual(
    new Set(['127.0.0.1']),
  )
  const tables = spans.map(({ attributes }) => String(attributes['db.collection.name'] ?? ''))
  expect(tables.filter((table) => table.startsWith('facilitator.'))).not.toEqual([])

  const { signature, authorization } = body.paymentPayload.payload
  const exported = receiver.bodies.join('\n').toLowerCase()
  const hidden = [token, signerKey, nodeKey, String(upstream.env.SECRET_KEYS), signature, authorization.nonce]
  for (const each of hidden) expect(exported).not.toContain(String(each).replace(/^0x/, '').toLowerCase())
  expect(exported).not.toContain(authorization.from.toLowerCase())
})

test('a settle that is forwarded is one trace with that of the upstream', async () => {
  const paid = await upstream.account()
  const upstreamKey = `Bearer ${paid.token}`
  const forwarding = await testFacilitator({
    chain,
    env: {
      ...collector,
      OTEL_SERVICE_NAME: 'forwarding',
      UPSTREAM_FACILITATOR_URL: upstream.url,
      UPSTREAM_FACILITATOR_HEADERS: JSON.stringify({ authorization: upstreamKey }),
    },
  })
  stops.defer(() => forwarding.close())
  const { token } = await forwarding.account()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const body = await signedBody({ account: devAccount(2) })
  const response = await forwarding.post('/settle', body, token, {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  })
  expect(response.status).toBe(200)
  await expect.poll(() => find(traceId).filter(isSettle).length).toBe(2)
  const spans = find(traceId)
  const bySettle = new Map(spans.filter(isSettle).map((span) => [span.service, span]))
  const request = spans.find(({ name }) => name === 'upstream settle')
  expect(request?.attributes).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  })
  expect(bySettle.get('upstream')?.parentSpanId).toBe(request?.spanId)
  expect(receiver.bodies.join('\n')).not.toContain(paid.token)
})

test('calls at the same time each have a trace, also where they share statements', async () => {
  const { token } = await upstream.account()
  const traceIds = Array.from({ length: 8 }, () => crypto.randomUUID().replaceAll('-', ''))
  const responses = await Promise.all(
    traceIds.map(async (traceId) => {
      const body = await signedBody({ account: devAccount(3), value: 1n })
      return upstream.post('/settle', body, token, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
    }),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const settles = () => traceIds.flatMap((traceId) => find(traceId).filter(isSettle))
  await expect.poll(() => settles().length).toBe(8)
  for (const { traceId, spanId } of settles()) {
    const spans = find(traceId)
    const ids = new Set([spanId, ...spans.map((span) => span.spanId)])
    for (const span of spans) if (span.spanId !== spanId) expect(ids).toContain(span.parentSpanId)
  }
})
