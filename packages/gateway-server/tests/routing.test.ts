import type { Schema } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { SESSION_OPERATIONS } from '../src/testing/samples/index.ts'
import { statedOperations } from '../src/testing/stated-operations.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway({ corsOrigins: ['https://shop.example'] })
})
afterAll(() => gateway.close())

const operations = routes.map(({ operation }) => operation)

/** Whether an operation's path could be this one: a parameter that is a text takes any segment. */
const takes = (path: string) => (operation: OperationShape) =>
  operation.path === path ||
  new RegExp(
    `^${operation.path.replace(/\{(\w+)\}/g, (_, name) => (isText(operation.params?.[name]) ? '[^/]+' : '[0-9]+'))}$`,
  ).test(path)
const isText = (schema: Schema<unknown> | undefined) => schema !== undefined && v.is(schema, 'text')

it('the routes have a pattern of their own each', () => {
  const patterns = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(new Set(patterns).size).toBe(operations.length)
})

it('the routes have an id and a scope each, and keep a stated address', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  // A person's own session belongs to no project, and every key may read what it is.
  const withoutScope = [...SESSION_OPERATIONS, 'apiKeys.getCurrent']
  expect(operations.filter(({ scope }) => !scope).map(({ id }) => id)).toEqual(withoutScope)
  const addresses = operations.map(({ method, path }) => `${method} ${path}`)
  for (const { method, path } of statedOperations) expect(addresses).toContain(`${method} ${path}`)
})

it.each(statedOperations)(
  'the routes respond to another method with 405 and the allowed methods: $path',
  async ({ method, path }) => {
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => each !== method)) {
      const taken = operations.filter(takes(path)).map((operation) => operation.method)
      if (taken.some((each) => each === other)) continue
      const { status, headers, json } = await gateway.key.call({
        method: other,
        path: path.replace('{id}', '7'),
        ...(other !== 'GET' && { body: '{}' }),
      })
      expect(status).toBe(405)
      expect(headers.get('allow')).toBe(taken.join(', '))
      expect(json).toMatchObject({ code: 405, data: {}, success: false })
    }
  },
)

it('the routes name the reference to whoever opens the address of the server', async () => {
  const { json } = await gateway.key.call({ method: 'GET', path: '/' })
  expect(json).toMatchObject({
    msg: expect.stringMatching(/^No operation has this path\. .*\. The reference is at \/docs$/),
  })
})

it('a failure names the page of the server that explains its reason', async () => {
  const { headers } = await gateway.key.call({ path: '/api/v1/card/promoCodeCards/999999999' })
  const [, page = ''] = /^<(\S+)>; rel="help"$/.exec(headers.get('link') ?? '') ?? []
  const response = await gateway.app.request(page)
  expect([page, response.status]).toEqual([expect.stringMatching(/\/docs\/errors$/), 200])
  expect(await response.text()).toContain('<h2 id="out_of_stock">')
})

it.each([
  '/',
  '/api',
  '/api/v1/wallet/walletInfo/',
  '/API/v1/wallet/walletInfo',
  '/api/v1/card/promoCodeCards/1/2',
  '/openapi.json/',
])('the routes are no others: %s', async (path) => {
  const { status, json } = await gateway.key.call({ path })
  expect(status).toBe(404)
  expect(json).toMatchObject({ code: 404, data: {}, success: false })
})

describe('a browser', () => {
  const path = '/api/v1/wallet/walletInfo'
  const preflight = (origin: string, app = gateway.app) =>
    app.request(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key,x-signature,x-timestamp,content-type,idempotency-key',
      },
    })

  it('a browser from an allowed origin can send a preflight request and the call', async () => {
    const { status, headers } = await preflight('https://shop.example')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(headers.get('access-control-allow-headers')).toBe(
      'x-api-key,x-signature,x-timestamp,content-type,idempotency-key',
    )
    expect(headers.get('access-control-allow-methods')).toBe('GET,POST,PUT,PATCH,DELETE')
    expect(headers.get('access-control-max-age')).toBe('600')
  })

  it.each([
    ['an answer', { path, query: 'address=0x1111111111111111111111111111111111111111' }, 404],
    [
      'a refusal',
      { path, query: 'address=0x1111111111111111111111111111111111111111', secret: 'sk_guessed' },
      401,
    ],
    ['no operation', { path: '/nothing' }, 404],
  ])('a browser may read the headers of %s that clients need', async (_, request, expected) => {
    const { status, headers } = await gateway.key.call({
      ...request,
      headers: { origin: 'https://shop.example' },
    })
    expect(status).toBe(expected)
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(headers.get('access-control-expose-headers')).toBe(
      'Date,Link,Retry-After,X-Request-Id,PAYMENT-RESPONSE',
    )
    expect(headers.get('x-request-id')).not.toBeNull()
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('a browser from another origin gets no CORS headers', async () => {
    const { headers } = await preflight('https://evil.example')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('a browser gets no CORS headers when no origin is allowed, and any origin when all are allowed', async () => {
    const closed = await preflight('https://shop.example', await gateway.another({ corsOrigins: [] }))
    expect(closed.headers.get('access-control-allow-origin')).toBeNull()
    const open = await preflight('https://any.example', await gateway.another({ corsOrigins: ['*'] }))
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('the metrics', () => {
  it('the metrics count the calls by operation and status without any caller', async () => {
    const token = 'a-token-for-the-metrics'
    const metricsAccess = { port: undefined, host: '127.0.0.1', token }
    const app = await gateway.another({ metricsAccess })
    await app.request('/api/v1/wallet/walletInfo')
    await app.request('/nothing?secret=1')
    const response = await app.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    expect(text).toContain('mintmark_gateway_calls_total{operation="walletInfo.get",status="401"} 1')
    expect(text).toContain('mintmark_gateway_calls_total{operation="none",status="404"} 1')
    expect(text).toContain('mintmark_gateway_call_seconds_count{operation="walletInfo.get"} 1')
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).not.toContain(gateway.key.apiKey)
  })
})

it('says that it is well, and which version it is', async () => {
  const response = await gateway.app.request('/health')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
})
