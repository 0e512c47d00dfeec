import { concatenated, createVerifier, type SignatureScheme, v1 } from '@mintmark/core-auth'
import { SIGNATURE_REPLAYED, STALE_TIMESTAMP, UnauthorizedError } from '@mintmark/envelope'
import { expect, it, vi } from 'vitest'
import {
  type Behavior,
  envelope,
  failure,
  misbehave,
  type Received,
  reset,
} from '../testdata/misbehaving-server.ts'
import { aThing, create, get } from '../testdata/things.ts'
import { createGateway } from './gateway.ts'
import { fixedClock } from './testing.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const TIME = Date.parse('2026-01-01T00:00:00Z')
const HOUR = 3_600_000

/** Verifies a received request as a server does. */
function verifyRequest(request: Received, { scheme = v1 as SignatureScheme, now = Date.now() } = {}) {
  const verifier = createVerifier({
    findKey: (apiKey) => (apiKey === 'key' ? { secrets: [credentials.secret] } : undefined),
    remember: async () => true,
    scheme,
    now: () => now,
  })
  const header = (name: string) => String(request.headers[name] ?? '')
  const { method, path, query, body } = request
  return verifier.verify(
    {
      method,
      path,
      query,
      body: new Uint8Array(body),
      apiKey: header('x-api-key'),
      signature: header('x-signature'),
      timestamp: header('x-timestamp'),
    },
    { write: true },
  )
}

async function catchError(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => expect.fail('The call succeeded'),
    (error: unknown) => error,
  )
}

it.each([v1, concatenated])(
  'a signed call is accepted by a verifier with the scheme $name',
  async (scheme) => {
    const server = await misbehave(envelope(aThing))
    const gateway = createGateway({ baseUrl: `${server.url}/behind/a/proxy/`, credentials, scheme })
    await get(gateway, { id: "a b/ü'(*)", tag: ['x y', '+&=', ''], depth: 2 })
    await create(gateway, { name: 'Zoë \u{1F600}', tags: ['a'] })
    for (const request of server.received)
      expect(await verifyRequest(request, { scheme })).toMatchObject({ ok: true })
    expect(server.received[0]?.path).toBe('/behind/a/proxy/api/v1/things/a%20b%2F%C3%BC%27%28%2A%29')
    expect(server.received[0]?.query).toBe('tag=x%20y&tag=%2B%26%3D&tag=&depth=2')
  },
)

it('a signed call is signed again for every attempt', async () => {
  const server = await misbehave(
    reset,
    failure(500, 500, { date: new Date(TIME).toUTCString() }),
    envelope(aThing),
  )
  await get(createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) }), { id: '7' })
  const timestamps = server.received.map(({ headers }) => Number(headers['x-timestamp']))
  expect(timestamps).toEqual([TIME, TIME + 1, TIME + 2])
  expect(new Set(server.received.map(({ headers }) => headers['x-signature'])).size).toBe(3)
  for (const request of server.received)
    expect(await verifyRequest(request, { now: TIME })).toMatchObject({ ok: true })
})

it('a signed call loads credentials for every attempt if they are a function', async () => {
  const server = await misbehave(failure(500), envelope(aThing))
  const loadCredentials = vi.fn(async () => credentials)
  await get(createGateway({ baseUrl: server.url, credentials: loadCredentials }), { id: '7' })
  expect(loadCredentials).toHaveBeenCalledTimes(2)
})

it('a signed call can be signed by a key service', async () => {
  const server = await misbehave(envelope(aThing))
  const sign = vi.fn(async () => new Uint8Array(32).fill(0xab))
  await get(createGateway({ baseUrl: server.url, credentials: { apiKey: 'key', sign } }), { id: '7' })
  expect(server.received[0]?.headers['x-signature']).toBe('ab'.repeat(32))
})

it.each<[string, () => never]>([
  [
    'credentials',
    () => {
      throw new Error('the vault is sealed')
    },
  ],
  ['async credentials', () => Promise.reject(new Error('the vault is sealed')) as never],
])('a signed call rejects with the error of its %s, and is neither sent nor repeated', async (_, fail) => {
  const server = await misbehave(envelope(aThing))
  const loadCredentials = vi.fn(fail)
  const call = get(createGateway({ baseUrl: server.url, credentials: loadCredentials }), { id: '7' })
  await expect(call).rejects.toThrow('the vault is sealed')
  expect(loadCredentials).toHaveBeenCalledTimes(1)
  expect(server.received.length).toBe(0)
})

it('a signed call keeps the headers of the signature if the caller sets the same headers', async () => {
  const server = await misbehave(envelope(aThing))
  const gateway = createGateway({ baseUrl: server.url, credentials, headers: { 'X-API-Key': 'forged' } })
  await get(gateway, { id: '7' }, { headers: { 'X-Signature': 'forged', 'X-TIMESTAMP': '1' } })
  expect(await verifyRequest(server.received[0] as Received)).toMatchObject({ ok: true })
  const names = server.received[0]?.rawHeaders.map((name) => name.toLowerCase())
  expect(names?.filter((name) => name === 'x-signature').length).toBe(1)
})

const replayed = failure(401, SIGNATURE_REPLAYED.code)

it('a write whose signature another process has used is signed again with its Idempotency-Key', async () => {
  const server = await misbehave(replayed, replayed, envelope(aThing))
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  expect(await create(gateway, { name: 'x' }, { idempotencyKey: 'k' })).toEqual(aThing)
  const signatures = server.received.map(({ headers }) => headers['x-signature'])
  expect(new Set(signatures).size).toBe(3)
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k', 'k'])
})

it('a write whose signature another process has used is not sent again without an Idempotency-Key, because a proxy may have sent it twice', async () => {
  const server = await misbehave(replayed, envelope(aThing))
  const error = await catchError(create(createGateway({ baseUrl: server.url, credentials }), { name: 'x' }))
  expect(error).toBeInstanceOf(UnauthorizedError)
  expect(error).toMatchObject({ code: SIGNATURE_REPLAYED.code })
  expect(server.received).toHaveLength(1)
})

it('a write whose signature another process has used ends with the error of the server if all its signatures were used', async () => {
  const server = await misbehave(replayed)
  const gateway = createGateway({ baseUrl: server.url, credentials, retries: 1 })
  const error = await catchError(create(gateway, { name: 'x' }, { idempotencyKey: 'k' }))
  expect(error).toMatchObject({ code: SIGNATURE_REPLAYED.code })
  expect(server.received).toHaveLength(2)
})

/** Behaves as a server whose clock differs by `offset` ms and that accepts a difference of 300 s. */
const serverAt =
  (offset: number): Behavior =>
  async (response, request) => {
    const now = TIME + offset
    const date = { date: new Date(now).toUTCString() }
    const { ok } = await verifyRequest(request, { now })
    await (ok ? envelope(aThing, date) : failure(401, STALE_TIMESTAMP.code, date))(response, request)
  }

it.each([HOUR, -HOUR])(
  'a client with a wrong clock corrects an offset of %i ms by the Date header and signs the call again',
  async (offset) => {
    const server = await misbehave(serverAt(offset))
    const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
    expect(await get(gateway, { id: '7' })).toEqual(aThing)
    expect(server.received.length).toBe(2)
    // The next call needs no correction, even a write.
    expect(await create(gateway, { name: 'x' })).toEqual(aThing)
    expect(server.received.length).toBe(3)
  },
)

it('a client with a wrong clock corrects its clock by successful responses', async () => {
  const server = await misbehave(envelope(aThing, { date: new Date(TIME + HOUR).toUTCString() }))
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  await get(gateway, { id: '7' })
  await get(gateway, { id: '7' })
  expect(Number(server.received[1]?.headers['x-timestamp']) - TIME).toBeGreaterThan(HOUR - 2000)
})

it('a client with a wrong clock corrects its clock again when the clock of the server changes', async () => {
  const server = await misbehave(serverAt(HOUR), serverAt(HOUR), serverAt(0))
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  await get(gateway, { id: '7' })
  expect(await get(gateway, { id: '7' })).toEqual(aThing)
  expect(Math.abs(Number(server.received.at(-1)?.headers['x-timestamp']) - TIME)).toBeLessThan(10)
})

it('a client with a wrong clock ignores a difference of less than two seconds', async () => {
  const server = await misbehave(envelope(aThing, { date: new Date(TIME + 1000).toUTCString() }))
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  await get(gateway, { id: '7' })
  await get(gateway, { id: '7' })
  expect(server.received[1]?.headers['x-timestamp']).toBe(String(TIME + 1))
})

it('a client with a wrong clock corrects its clock once per call, and then reports the error of the server', async () => {
  const server = await misbehave(failure(401, STALE_TIMESTAMP.code, { date: new Date(TIME).toUTCString() }))
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  await expect(get(gateway, { id: '7' })).rejects.toMatchObject({
    kind: 'Unauthorized',
    code: STALE_TIMESTAMP.code,
  })
  expect(server.received.length).toBe(2)
})

it('a client with a wrong clock corrects its clock for concurrent calls', async () => {
  const server = await misbehave(serverAt(HOUR))
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  const calls = Array.from({ length: 5 }, () => get(gateway, { id: '7' }))
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 5 }, () => aThing))
})

it.each<[string, Behavior]>([
  ['another code', failure(401, 40_100, { date: new Date(TIME + HOUR).toUTCString() })],
  [
    'a message without the code',
    (response, request) =>
      failure(401, 401, { date: new Date(TIME + HOUR).toUTCString(), 'x-message': 'stale timestamp' })(
        response,
        request,
      ),
  ],
  [
    'a response without a Date header',
    (response, request) => {
      response.sendDate = false
      return failure(401, STALE_TIMESTAMP.code)(response, request)
    },
  ],
])('a client with a wrong clock does not correct its clock by %s', async (_, behavior) => {
  const server = await misbehave(behavior)
  const gateway = createGateway({ baseUrl: server.url, credentials, now: fixedClock(TIME) })
  await expect(get(gateway, { id: '7' })).rejects.toBeInstanceOf(UnauthorizedError)
  expect(server.received.length).toBe(1)
})
