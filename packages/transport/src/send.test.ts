import {
  type AnyMintmarkError,
  isMintmarkError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import { afterEach, expect, it, vi } from 'vitest'
import {
  type Behavior,
  breakOff,
  envelope,
  failure,
  findUnusedAddress,
  hang,
  json,
  misbehave,
  reset,
  respond,
  stall,
} from '../testdata/misbehaving-server.ts'
import { aThing, create, forget, get, importAll, rename, resend, settle } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const gatewayAt = (baseUrl: string, options: Partial<GatewayOptions> = {}) =>
  createGateway({ baseUrl, credentials, ...options })

/** Returns the error that a call ends in. */
async function catchError(call: Promise<unknown>): Promise<AnyMintmarkError> {
  const error = await call.then(
    (data) => expect.fail(`resolved ${JSON.stringify(data)}`),
    (error: unknown) => error,
  )
  if (!isMintmarkError(error)) throw error
  return error
}

afterEach(() => {
  vi.useRealTimers()
})

it.each<[string, Behavior]>([
  ['429', failure(429)],
  ['500', failure(500)],
  ['502 of a proxy', respond(502, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' })],
  ['503', failure(503)],
  ['504', respond(504, '')],
  ['408', failure(408)],
  ['a reset connection', reset],
  ['a truncated response', breakOff],
])('a call that is safe to repeat is retried after %s', async (_, misbehavior) => {
  const server = await misbehave(misbehavior, envelope(aThing))
  expect(await get(gatewayAt(server.url), { id: '7' })).toEqual(aThing)
  expect(server.received.length).toBe(2)
})

it.each<[string, Behavior]>([
  ['no response', hang],
  ['a response that never ends', stall],
])('a call that is safe to repeat is retried after %s within the timeout', async (_, misbehavior) => {
  const server = await misbehave(misbehavior, envelope(aThing))
  expect(await get(gatewayAt(server.url, { timeout: 200 }), { id: '7' })).toEqual(aThing)
  expect(server.received.length).toBe(2)
})

it.each([400, 401, 403, 404, 409])(
  'a call that is safe to repeat is not retried after %i',
  async (status) => {
    const server = await misbehave(failure(status), envelope(aThing))
    expect((await catchError(get(gatewayAt(server.url), { id: '7' }))).status).toBe(status)
    expect(server.received.length).toBe(1)
  },
)

it('a call that is safe to repeat is sent at most three times and then ends in the error of the last response', async () => {
  const server = await misbehave(failure(500), failure(503), failure(500, 50_003, { 'x-request-id': 'r-3' }))
  const error = await catchError(get(gatewayAt(server.url), { id: '7' }))
  expect(error).toBeInstanceOf(ServerError)
  expect(error).toMatchObject({ status: 500, code: 50_003, requestId: 'r-3', retryable: true })
  expect(server.received.length).toBe(3)
})

it.each([
  [0, { retries: 0 }, {}],
  [1, { retries: 1 }, {}],
  [1, { retries: 5 }, { retries: 1 }],
])(
  'a call that is safe to repeat is retried up to the configured limit of %i',
  async (retries, client, call) => {
    const server = await misbehave(failure(500))
    await catchError(get(gatewayAt(server.url, client), { id: '7' }, call))
    expect(server.received.length).toBe(retries + 1)
  },
)

it('a call that is safe to repeat ends in NetworkError if every connection is reset', async () => {
  const server = await misbehave(reset)
  const error = await catchError(get(gatewayAt(server.url, { retries: 1 }), { id: '7' }))
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ operation: 'things.get', retryable: true })
  expect(error.message).toBe(`things.get: no response from ${new URL(server.url).origin} (ECONNRESET)`)
  expect(server.received.length).toBe(2)
})

it('a call that is safe to repeat ends in TimeoutError if no response arrives', async () => {
  const server = await misbehave(hang)
  // A busy server may not have read a request within its timeout.
  let attempts = 0
  const counting = (url: string, init: RequestInit) => {
    attempts += 1
    return fetch(url, init)
  }
  const gateway = gatewayAt(server.url, { retries: 1, timeout: 60_000, fetch: counting })
  const error = await catchError(get(gateway, { id: '7' }, { timeout: 50 }))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(attempts).toBe(2)
})

it('a write that is declared idempotent is safe to repeat, but not a GET that writes', async () => {
  const server = await misbehave(failure(500), envelope(aThing), failure(500), envelope([aThing]))
  const gateway = gatewayAt(server.url)
  expect(await rename(gateway, { id: '7', name: 'eight' })).toEqual(aThing)
  // A GET that writes is not retried.
  expect(await catchError(importAll(gateway))).toBeInstanceOf(ServerError)
  expect(server.received.length).toBe(3)
})

it('a call that is safe to repeat is retried after any error of a custom fetch', async () => {
  let calls = 0
  const gateway = gatewayAt('http://127.0.0.1:1', {
    async fetch() {
      if (++calls < 3) throw new Error('the tunnel is closed')
      return Response.json({ code: 200, data: aThing, msg: '', success: true })
    },
  })
  expect(await get(gateway, { id: '7' })).toEqual(aThing)
  expect(calls).toBe(3)
})

const later = (value: string) => failure(429, 429, { 'retry-after': value })

it('Retry-After of zero seconds causes an immediate retry', async () => {
  const server = await misbehave(later('0'), later('0'), envelope(aThing))
  expect(await get(gatewayAt(server.url), { id: '7' })).toEqual(aThing)
})

it.each([
  ['seconds', () => '20'],
  ['a date', () => new Date(Date.now() + 20_000).toUTCString()],
])('Retry-After in the form of %s delays the retry', async (_, value) => {
  vi.useFakeTimers({ now: 1_767_225_600_000 })
  const fetch = vi.fn(async () =>
    fetch.mock.calls.length === 1
      ? new Response('{}', { status: 429, headers: { 'retry-after': value() } })
      : Response.json({ code: 200, data: aThing, msg: '', success: true }),
  )
  const call = get(gatewayAt('http://127.0.0.1:1', { fetch }), { id: '7' })
  await vi.advanceTimersByTimeAsync(19_000)
  expect(fetch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await call).toEqual(aThing)
  expect(fetch).toHaveBeenCalledTimes(2)
})

it.each([
  ['61', {}],
  ['1000000000', {}],
  ['1e9', { timeout: 3000 }],
  ['Infinity', {}],
  ['1'.repeat(400), {}],
  ['4', { timeout: 3000 }],
  ['Fri, 31 Dec 9999 23:59:59 GMT', { timeout: 3000 }],
])(
  'Retry-After of %s that does not fit into the time-out ends the call at once with the error',
  async (value, limits) => {
    const server = await misbehave(later(value), envelope(aThing))
    const error = await catchError(get(gatewayAt(server.url, limits), { id: '7' }))
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error).toHaveProperty('retryAfter')
    expect(server.received).toHaveLength(1)
  },
)

it.each(['-5', 'soon', '5, 1000000'])(
  'Retry-After of %s counts as absent: the call is retried soon',
  async (value) => {
    const server = await misbehave(later(value), envelope(aThing))
    expect(await get(gatewayAt(server.url, { timeout: 3000 }), { id: '7' })).toEqual(aThing)
    const refused = await misbehave(later(value))
    const error = await catchError(create(gatewayAt(refused.url), { name: 'x' }))
    expect(error).not.toHaveProperty('retryAfter')
  },
)

it.each(['ratelimit-reset', 'x-ratelimit-reset', 'x-ratelimit-retry-after'])(
  'Retry-After in the header %s is not followed',
  async (name) => {
    const server = await misbehave(failure(429, 429, { [name]: '1000000000' }), envelope(aThing))
    expect(await get(gatewayAt(server.url, { timeout: 3000 }), { id: '7' })).toEqual(aThing)
  },
)

it('Retry-After is a field of the error if the call is not retried', async () => {
  const server = await misbehave(later('17'))
  const error = await catchError(create(gatewayAt(server.url), { name: 'x' }))
  expect(error).toBeInstanceOf(RateLimitedError)
  expect(error).toMatchObject({ retryAfter: 17, retryable: true })
})

it('Retry-After in the form of a date is converted to seconds by the clock of the client', async () => {
  const server = await misbehave(later('Thu, 01 Jan 2026 00:01:00 GMT'))
  const gateway = gatewayAt(server.url, { now: () => Date.parse('2026-01-01T00:00:00Z') })
  expect(await catchError(create(gateway, { name: 'x' }))).toMatchObject({ retryAfter: 60 })
})

it.each<[string, Behavior]>([
  ['a connection that is reset after sending', reset],
  ['a truncated response', breakOff],
  ['no response in time', hang],
  ['a response that never ends', stall],
  ['a proxy that lost its server (502)', respond(502, 'Bad Gateway')],
  ['a proxy whose server timed out (504)', json(504, { message: 'upstream' })],
])(
  'a call that is not safe to repeat is sent once and ends in UnknownOutcomeError after %s',
  async (_, misbehavior) => {
    const server = await misbehave(misbehavior, envelope(aThing))
    const gateway = gatewayAt(server.url, { timeout: 200, now: () => 1_767_225_600_000 })
    const error = await catchError(create(gateway, { name: 'x' }))
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(error).toMatchObject({ operation: 'things.create', sentAt: 1_767_225_600_000, retryable: false })
    expect(server.received.length).toBe(1)
  },
)

it.each([429, 500, 503])(
  'a call that is not safe to repeat is sent once and ends in the error of the response after %i',
  async (status) => {
    const server = await misbehave(failure(status), envelope(aThing))
    const error = await catchError(create(gatewayAt(server.url), { name: 'x' }))
    expect(error).toMatchObject({ kind: status === 429 ? 'RateLimited' : 'Server', status })
    expect(server.received.length).toBe(1)
  },
)

it('a call that is not safe to repeat ends in NetworkError if the connection is refused, because it was not sent', async () => {
  const error = await catchError(create(gatewayAt(await findUnusedAddress()), { name: 'x' }))
  expect(error).toBeInstanceOf(NetworkError)
  expect(error.message).toContain('ECONNREFUSED')
})

it('a call that is not safe to repeat ends in NetworkError if its host name cannot be resolved', async () => {
  const gateway = gatewayAt('http://127.0.0.1:1', {
    async fetch() {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('getaddrinfo ENOTFOUND shop.invalid'), { code: 'ENOTFOUND' }),
      })
    },
  })
  expect(await catchError(create(gateway, { name: 'x' }))).toBeInstanceOf(NetworkError)
})

it('a call that is not safe to repeat ends in TimeoutError if its credentials do not load in time, because it was not sent', async () => {
  const server = await misbehave(envelope(aThing))
  const gateway = gatewayAt(server.url, { timeout: 50, credentials: () => new Promise(() => {}) })
  expect(await catchError(create(gateway, { name: 'x' }))).toBeInstanceOf(TimeoutError)
  expect(server.received.length).toBe(0)
})

it('an idempotency key is not sent by default', async () => {
  const server = await misbehave(envelope(aThing))
  await create(gatewayAt(server.url), { name: 'x' })
  expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key')
})

it('an idempotency key makes a write safe to repeat with the same key', async () => {
  const server = await misbehave(reset, failure(503), envelope(aThing))
  expect(await create(gatewayAt(server.url), { name: 'x' }, { idempotencyKey: 'mine-1' })).toEqual(aThing)
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'mine-1',
    'mine-1',
    'mine-1',
  ])
})

it('an idempotency key repeats a write with the same body and headers if no response arrives in time', async () => {
  const server = await misbehave(hang, failure(503), envelope(aThing))
  const gateway = gatewayAt(server.url, { headers: { 'x-team': 'a' } })
  const call = create(gateway, { name: 'x', tags: ['ü'] }, { idempotencyKey: 'k', timeout: 1000 })
  expect(await call).toEqual(aThing)
  const received = server.received.map(({ method, body, headers }) => [method, body.toString(), headers])
  const headers = expect.objectContaining({ 'content-type': 'application/json', 'x-team': 'a' })
  expect(received).toEqual(Array.from({ length: 3 }, () => ['POST', '{"name":"x","tags":["ü"]}', headers]))
})

it('an idempotency key is generated once per call for the value auto', async () => {
  const server = await misbehave(failure(500), envelope(aThing))
  const gateway = gatewayAt(server.url)
  await create(gateway, { name: 'x' }, { idempotencyKey: 'auto' })
  await create(gateway, { name: 'x' }, { idempotencyKey: 'auto' })
  const [first, retry, second] = server.received.map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(retry).toBe(first)
  expect(second).not.toBe(first)
})

it.each([resend, forget])(
  'an idempotency key is not sent with $id, which ignores it, and the call is not repeated',
  async (operation) => {
    const server = await misbehave(reset, json(200, {}))
    const facilitator = createFacilitator({ baseUrl: server.url, credentials: { token: 't' } })
    const error = await catchError(operation(facilitator, {}, { idempotencyKey: 'mine' }))
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(error).not.toHaveProperty('idempotencyKey')
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key')
  },
)

it.each<[string, Behavior[]]>([
  ['no response arrives', [reset]],
  ['the last response is a temporary failure', [reset, failure(503)]],
  ['another call with the key is in progress', [reset, failure(409)]],
  ['the key of the caller was revoked meanwhile', [reset, failure(401)]],
  ['the key of the caller lost its scope meanwhile', [reset, failure(403)]],
  ['a proxy responds without the server', [reset, respond(404, '<h1>Not Found</h1>')]],
  ['a proxy redirects', [reset, respond(302, '', { location: '/maintenance' })]],
])('an idempotency key is a field of UnknownOutcomeError if %s', async (_, behaviors) => {
  const server = await misbehave(...behaviors)
  const gateway = gatewayAt(server.url, { retries: 1 })
  const error = await catchError(create(gateway, { name: 'x' }, { idempotencyKey: 'auto' }))
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect(error).toMatchObject({ idempotencyKey: server.received[0]?.headers['idempotency-key'] })
})

it.each<[string, Behavior, object]>([
  ['a rule', json(400, { code: 40_010, data: { reason: 'NO' }, success: false }), { kind: 'Refused' }],
  ['an invalid input', failure(400), { kind: 'InvalidInput' }],
  ['a missing record', failure(404), { kind: 'NotFound' }],
])(
  'an idempotency key does not change the error if the server refuses the repeated call by %s',
  async (_, refusal, error) => {
    const server = await misbehave(reset, refusal)
    const call = create(gatewayAt(server.url), { name: 'x' }, { idempotencyKey: 'k' })
    expect(await catchError(call)).toMatchObject({ ...error, retryable: false })
    expect(server.received.length).toBe(2)
  },
)

it('an idempotency key is a field of UnknownOutcomeError if the credentials cannot be loaded for the repeated call', async () => {
  const server = await misbehave(reset)
  let loads = 0
  const gateway = gatewayAt(server.url, {
    credentials() {
      loads += 1
      if (loads > 1) throw new Error('The vault is locked')
      return credentials
    },
  })
  const error = await catchError(create(gateway, { name: 'x' }, { idempotencyKey: 'k' }))
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect(error).toMatchObject({ idempotencyKey: 'k', cause: new Error('The vault is locked') })
  expect(server.received.length).toBe(1)
})

it('an idempotency key does not change the error if every attempt received a response', async () => {
  const server = await misbehave(failure(503))
  const error = await catchError(
    create(gatewayAt(server.url, { retries: 1 }), { name: 'x' }, { idempotencyKey: 'k' }),
  )
  expect(error).toBeInstanceOf(ServerError)
})

it('a call with an idempotency key ends in UnknownOutcomeError if the connection is refused after an attempt that was interrupted', async () => {
  let calls = 0
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const lost = Object.assign(new Error('read'), { code: 'ECONNRESET' })
  const gateway = gatewayAt('http://127.0.0.1:1', {
    retries: 1,
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: calls++ ? refused : lost })),
  })
  const error = await catchError(create(gateway, { name: 'x' }, { idempotencyKey: 'k' }))
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect(calls).toBe(2)
})

it('reports a pending settlement as UnknownOutcomeError with its transaction', async () => {
  const server = await misbehave(
    json(
      503,
      { error: 'SettlementPending', transaction: '0xabc' },
      { 'retry-after': '5', 'x-request-id': 'r-1' },
    ),
  )
  const facilitator = createFacilitator({ baseUrl: server.url, credentials: { token: 'tok_4f3c2b1a' } })
  const error = await catchError(settle(facilitator, { version: 2 }))
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect(error).toMatchObject({
    transaction: '0xabc',
    retryAfter: 5,
    reason: 'SettlementPending',
    requestId: 'r-1',
    status: 503,
  })
})
