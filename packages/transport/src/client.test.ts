import type { Client } from '@mintmark/operation'
import { withResponse } from '@mintmark/transport'
import { afterEach, expect, it, vi } from 'vitest'
import { envelope, failure, misbehave, reset } from '../testdata/misbehaving-server.ts'
import { aThing, check, create, get, rename } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway } from './gateway.ts'
import { reroute } from './options.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const createResponse = () => Response.json({ code: 200, data: aThing, msg: '', success: true })

afterEach(() => vi.restoreAllMocks())

it('the hooks of a client are called for every attempt, every response and the final error', async () => {
  const events: [string, object][] = []
  const server = await misbehave(reset, failure(500), failure(404, 404, { 'x-request-id': 'r-3' }))
  const gateway = createGateway({
    baseUrl: server.url,
    credentials,
    hooks: {
      onRequest: (event) => events.push(['request', event]),
      onResponse: ({ milliseconds, ...event }) =>
        events.push(['response', { ...event, timed: milliseconds >= 0 }]),
      onError: ({ error, operation }) => events.push(['error', { operation, kind: error.kind }]),
    },
  })
  await expect(get(gateway, { id: '7', tag: 'private' })).rejects.toThrow()
  const call = { operation: 'things.get', method: 'GET', path: '/api/v1/things/7' }
  expect(events).toEqual([
    ['request', { ...call, attempt: 1 }],
    ['request', { ...call, attempt: 2 }],
    ['response', { ...call, attempt: 2, status: 500, requestId: undefined, timed: true }],
    ['request', { ...call, attempt: 3 }],
    ['response', { ...call, attempt: 3, status: 404, requestId: 'r-3', timed: true }],
    ['error', { operation: 'things.get', kind: 'NotFound' }],
  ])
})

it('the hooks of a client do not end the call if they throw or reject; their errors are logged to the console', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = await misbehave(envelope(aThing))
  const gateway = createGateway({
    baseUrl: server.url,
    credentials,
    hooks: {
      onRequest() {
        throw new Error('thrown')
      },
      async onResponse() {
        throw new Error('rejected')
      },
    },
  })
  expect(await get(gateway, { id: '7' })).toEqual(aThing)
  await vi.waitFor(() => expect(printed.mock.calls.flat().map(String)).toContain('Error: rejected'), {
    timeout: 30_000,
  })
  expect(printed.mock.calls.flat().map(String)).toContain('Error: thrown')
})

it('the hooks of a client are called as methods of their object', async () => {
  class Counter {
    count = 0
    onRequest() {
      this.count++
    }
  }
  const hooks = new Counter()
  await get(
    createGateway({
      baseUrl: 'http://127.0.0.1:1',
      credentials,
      hooks,
      fetch: async () => createResponse(),
    }),
    { id: '7' },
  )
  expect(hooks.count).toBe(1)
})

it('a custom fetch is called once per attempt with the URL and the signed request', async () => {
  const calls: [string, RequestInit][] = []
  const fetch = async (url: string, init: RequestInit) => {
    calls.push([url, init])
    return calls.length === 1 ? new Response('', { status: 503 }) : createResponse()
  }
  const gateway = createGateway({ baseUrl: 'https://shop.example/base', credentials, fetch })
  await rename(gateway, { id: '7', name: 'x' })
  expect(calls.length).toBe(2)
  const [url, init] = calls[0] ?? []
  expect(url).toBe('https://shop.example/base/api/v1/things/7')
  expect(init).toMatchObject({ method: 'PATCH', redirect: 'manual', signal: expect.any(AbortSignal) })
  expect(init?.body).toEqual(new TextEncoder().encode('{"name":"x"}'))
  expect(init?.headers).toMatchObject({ 'x-api-key': 'key', accept: 'application/json' })
})

it('the headers of a call replace those of the client in any letter case', async () => {
  const server = await misbehave(envelope(aThing))
  const gateway = createGateway({
    baseUrl: server.url,
    credentials,
    headers: { 'X-Team': 'a', Accept: 'text/plain' },
  })
  await get(gateway, { id: '7' }, { headers: { 'x-team': 'b' } })
  expect(server.received[0]?.headers).toMatchObject({ 'x-team': 'b', accept: 'text/plain' })
})

it('a rerouted operation is sent to the new path with its input', async () => {
  const server = await misbehave(envelope(aThing))
  const gateway = createGateway({
    baseUrl: server.url,
    credentials,
    routes: [reroute(rename, { path: '/v2/thing/{id}/name', method: 'PUT' })],
  })
  await rename(gateway, { id: 'a b', name: 'x' })
  await create(gateway, { name: 'x' })
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PUT /v2/thing/a%20b/name',
    'POST /api/v1/things',
  ])
})

it('a rerouted operation is signed for the normalized path that is sent', async () => {
  const signed: string[] = []
  const server = await misbehave(envelope(aThing))
  const sign = (text: string) => {
    signed.push(text.split('\n')[3] ?? '')
    return new Uint8Array(32)
  }
  const gateway = createGateway({
    baseUrl: server.url,
    credentials: { apiKey: 'key', sign },
    routes: [reroute(create, { path: '/ümlaut/./x' })],
  })
  await create(gateway, { name: 'x' })
  expect(server.received[0]?.path).toBe('/%C3%BCmlaut/x')
  expect(signed).toEqual(['/%C3%BCmlaut/x'])
})

it('withResponse returns the data with the status, the headers and the request id', async () => {
  const server = await misbehave(envelope(aThing, { 'x-request-id': 'r-1', 'x-more': 'm' }))
  const result = await withResponse(get, createGateway({ baseUrl: server.url, credentials }), { id: '7' })
  expect(result).toMatchObject({ data: aThing, status: 200, requestId: 'r-1' })
  expect(result.headers.get('x-more')).toBe('m')
})

it('rejects a call with the client of the other service', async () => {
  // A program without types could do this.
  const wrong = createFacilitator({ baseUrl: 'http://127.0.0.1:1' }) as unknown as Client<'gateway'>
  await expect(get(wrong, { id: '7' })).rejects.toThrow('things.get belongs to the gateway')
})

it.each([undefined, 'localhost:4000', '127.0.0.1:4000', 'ftp://gateway.example', 'httpbin.example:443'])(
  'rejects the base URL %s in createGateway',
  (baseUrl) => {
    // An environment variable may be unset.
    expect(() => createGateway({ baseUrl: baseUrl as string, credentials })).toThrow(/baseUrl is not http/)
  },
)

it('fails the first call of the facilitator if the token is missing, which is not sent as "undefined"', async () => {
  const credentials = { token: undefined as unknown as string }
  const facilitator = createFacilitator({ baseUrl: 'http://127.0.0.1:1', credentials })
  await expect(check(facilitator, { version: 1 })).rejects.toThrow('Token is empty')
})
