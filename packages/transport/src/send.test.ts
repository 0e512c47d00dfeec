import {
  type AnyMintmarkError,
  isMintmarkError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Behaviour,
  breakOff,
  envelope,
  failure,
  hang,
  json,
  misbehave,
  nobody,
  reset,
  say,
  stall,
} from '../testdata/misbehaving-server.ts'
import { aThing, create, get, importAll, rename, settle } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const gatewayAt = (baseUrl: string, options: Partial<GatewayOptions> = {}) =>
  createGateway({ baseUrl, credentials, ...options })

/** The error that a call ends in. */
async function errorOf(call: Promise<unknown>): Promise<AnyMintmarkError> {
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

describe('a call that is safe to repeat', () => {
  it.each<[string, Behaviour]>([
    ['429', failure(429)],
    ['500', failure(500)],
    ['502 of a proxy', say(502, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' })],
    ['503', failure(503)],
    ['504', say(504, '')],
    ['408', failure(408)],
    ['a connection that breaks', reset],
    ['an answer that breaks off', breakOff],
  ])('is sent again after %s', async (_, misbehaviour) => {
    const server = await misbehave(misbehaviour, envelope(aThing))
    expect(await get(gatewayAt(server.url), { id: '7' })).toEqual(aThing)
    expect(server.received.length).toBe(2)
  })

  it.each<[string, Behaviour]>([
    ['no answer', hang],
    ['an answer that never ends', stall],
  ])('is sent again after %s within the time-out', async (_, misbehaviour) => {
    const server = await misbehave(misbehaviour, envelope(aThing))
    expect(await get(gatewayAt(server.url, { timeout: 200 }), { id: '7' })).toEqual(aThing)
    expect(server.received.length).toBe(2)
  })

  it.each([400, 401, 403, 404, 409])('is not sent again after %i', async (status) => {
    const server = await misbehave(failure(status), envelope(aThing))
    expect((await errorOf(get(gatewayAt(server.url), { id: '7' }))).status).toBe(status)
    expect(server.received.length).toBe(1)
  })

  it('is sent three times at most, and then ends in what the last answer said', async () => {
    const server = await misbehave(
      failure(500),
      failure(503),
      failure(500, 50_003, { 'x-request-id': 'r-3' }),
    )
    const error = await errorOf(get(gatewayAt(server.url), { id: '7' }))
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ status: 500, code: 50_003, requestId: 'r-3', retryable: true })
    expect(server.received.length).toBe(3)
  })

  it.each([
    [0, { retries: 0 }, {}],
    [1, { retries: 1 }, {}],
    [1, { retries: 5 }, { retries: 1 }],
  ])('is repeated %i times when the caller says so', async (retries, client, call) => {
    const server = await misbehave(failure(500))
    await errorOf(get(gatewayAt(server.url, client), { id: '7' }, call))
    expect(server.received.length).toBe(retries + 1)
  })

  it('ends in Network when every connection breaks', async () => {
    const server = await misbehave(reset)
    const error = await errorOf(get(gatewayAt(server.url, { retries: 1 }), { id: '7' }))
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ operation: 'things.get', retryable: true })
    expect(error.message).toMatch(/^things\.get: no response/)
    expect(server.received.length).toBe(2)
  })

  it('ends in Timeout when no answer comes', async () => {
    const server = await misbehave(hang)
    const error = await errorOf(
      get(gatewayAt(server.url, { retries: 1, timeout: 60_000 }), { id: '7' }, { timeout: 50 }),
    )
    expect(error).toBeInstanceOf(TimeoutError)
    expect(server.received.length).toBe(2)
  })

  it('is a write that says so, or a GET that only reads', async () => {
    const server = await misbehave(failure(500), envelope(aThing), failure(500), envelope([aThing]))
    const gateway = gatewayAt(server.url)
    expect(await rename(gateway, { id: '7', name: 'eight' })).toEqual(aThing)
    // A GET that writes is not sent again.
    expect(await errorOf(importAll(gateway))).toBeInstanceOf(ServerError)
    expect(server.received.length).toBe(3)
  })

  it('is repeated whatever words a fetch of the caller uses for its network', async () => {
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
})

describe('Retry-After', () => {
  const later = (value: string) => failure(429, 429, { 'retry-after': value })

  it('of zero seconds has the call sent again at once', async () => {
    const server = await misbehave(later('0'), later('0'), envelope(aThing))
    expect(await get(gatewayAt(server.url), { id: '7' })).toEqual(aThing)
  })

  it.each([
    ['seconds', () => '20'],
    ['a date', () => new Date(Date.now() + 20_000).toUTCString()],
  ])('as %s is waited for', async (_, value) => {
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

  it('is told by the error when the call is not repeated', async () => {
    const server = await misbehave(later('17'))
    const error = await errorOf(create(gatewayAt(server.url), { name: 'x' }))
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error).toMatchObject({ retryAfter: 17, retryable: true })
  })

  it('given as a date is told in seconds by the client’s clock', async () => {
    const server = await misbehave(later('Thu, 01 Jan 2026 00:01:00 GMT'))
    const gateway = gatewayAt(server.url, { now: () => Date.parse('2026-01-01T00:00:00Z') })
    expect(await errorOf(create(gateway, { name: 'x' }))).toMatchObject({ retryAfter: 60 })
  })

  it('that says nothing is left out', async () => {
    const server = await misbehave(later('soon'))
    expect(await errorOf(create(gatewayAt(server.url), { name: 'x' }))).not.toHaveProperty('retryAfter')
  })
})

describe('a call that is not safe to repeat', () => {
  it.each<[string, Behaviour]>([
    ['a connection that breaks after sending', reset],
    ['an answer that breaks off', breakOff],
    ['no answer in time', hang],
    ['an answer that never ends', stall],
    ['a proxy that lost its server', say(502, 'Bad Gateway')],
    ['a proxy that waited in vain', json(504, { message: 'upstream' })],
  ])('ends in UnknownOutcome after %s, and is sent once', async (_, misbehaviour) => {
    const server = await misbehave(misbehaviour, envelope(aThing))
    const gateway = gatewayAt(server.url, { timeout: 200, now: () => 1_767_225_600_000 })
    const error = await errorOf(create(gateway, { name: 'x' }))
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(error).toMatchObject({ operation: 'things.create', sentAt: 1_767_225_600_000, retryable: false })
    expect(server.received.length).toBe(1)
  })

  it.each([429, 500, 503])('ends in what the answer says after %i, and is sent once', async (status) => {
    const server = await misbehave(failure(status), envelope(aThing))
    const error = await errorOf(create(gatewayAt(server.url), { name: 'x' }))
    expect(error).toMatchObject({ kind: status === 429 ? 'RateLimited' : 'Server', status })
    expect(server.received.length).toBe(1)
  })

  it('ends in Network when nobody listened, for it never left', async () => {
    const error = await errorOf(create(gatewayAt(await nobody()), { name: 'x' }))
    expect(error).toBeInstanceOf(NetworkError)
    expect(error.message).toContain('ECONNREFUSED')
  })

  it('ends in Network when its host has no address', async () => {
    const gateway = gatewayAt('http://127.0.0.1:1', {
      async fetch() {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('getaddrinfo ENOTFOUND shop.invalid'), { code: 'ENOTFOUND' }),
        })
      },
    })
    expect(await errorOf(create(gateway, { name: 'x' }))).toBeInstanceOf(NetworkError)
  })

  it('ends in Timeout when its credentials did not come in time, for it never left', async () => {
    const server = await misbehave(envelope(aThing))
    const gateway = gatewayAt(server.url, { timeout: 50, credentials: () => new Promise(() => {}) })
    expect(await errorOf(create(gateway, { name: 'x' }))).toBeInstanceOf(TimeoutError)
    expect(server.received.length).toBe(0)
  })
})

describe('an idempotency key', () => {
  it('is not sent unasked', async () => {
    const server = await misbehave(envelope(aThing))
    await create(gatewayAt(server.url), { name: 'x' })
    expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  it('makes a write safe to repeat, every time with the same key', async () => {
    const server = await misbehave(reset, failure(503), envelope(aThing))
    expect(await create(gatewayAt(server.url), { name: 'x' }, { idempotencyKey: 'mine-1' })).toEqual(aThing)
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'mine-1',
      'mine-1',
      'mine-1',
    ])
  })

  it('is made up when asked for, one a call', async () => {
    const server = await misbehave(failure(500), envelope(aThing))
    const gateway = gatewayAt(server.url)
    await create(gateway, { name: 'x' }, { idempotencyKey: 'auto' })
    await create(gateway, { name: 'x' }, { idempotencyKey: 'auto' })
    const [one, again, other] = server.received.map(({ headers }) => headers['idempotency-key'])
    expect(one).toMatch(/^[0-9a-f-]{36}$/)
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })

  it.each<[string, Behaviour[]]>([
    ['no answer ever came', [reset]],
    ['the last answer put the call off', [reset, failure(503)]],
    ['another is at it', [reset, failure(409)]],
  ])('stands in UnknownOutcome when %s', async (_, behaviours) => {
    const server = await misbehave(...behaviours)
    const gateway = gatewayAt(server.url, { retries: 1 })
    const error = await errorOf(create(gateway, { name: 'x' }, { idempotencyKey: 'auto' }))
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(error).toMatchObject({ idempotencyKey: server.received[0]?.headers['idempotency-key'] })
  })

  it('leaves a refusal what it is, when the server never was in doubt', async () => {
    const server = await misbehave(failure(503))
    const error = await errorOf(
      create(gatewayAt(server.url, { retries: 1 }), { name: 'x' }, { idempotencyKey: 'k' }),
    )
    expect(error).toBeInstanceOf(ServerError)
  })

  it('ends in UnknownOutcome when the server went away after an attempt that broke', async () => {
    let calls = 0
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const lost = Object.assign(new Error('read'), { code: 'ECONNRESET' })
    const gateway = gatewayAt('http://127.0.0.1:1', {
      retries: 1,
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: calls++ ? refused : lost })),
    })
    const error = await errorOf(create(gateway, { name: 'x' }, { idempotencyKey: 'k' }))
    expect(error).toBeInstanceOf(UnknownOutcomeError)
    expect(calls).toBe(2)
  })
})

it('a pending settlement is an UnknownOutcome with its transaction', async () => {
  const server = await misbehave(
    json(
      503,
      { error: 'SettlementPending', transaction: '0xabc' },
      { 'retry-after': '5', 'x-request-id': 'r-1' },
    ),
  )
  const facilitator = createFacilitator({ baseUrl: server.url, credentials: { token: 'tok_4f3c2b1a' } })
  const error = await errorOf(settle(facilitator, { version: 2 }))
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect(error).toMatchObject({
    transaction: '0xabc',
    retryAfter: 5,
    reason: 'SettlementPending',
    requestId: 'r-1',
    status: 503,
  })
})
