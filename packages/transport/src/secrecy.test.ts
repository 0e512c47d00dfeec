import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Behavior,
  breakOff,
  envelope,
  failure,
  findUnusedAddress,
  hang,
  json,
  misbehave,
  type Received,
  reset,
  respond,
} from '../testdata/misbehaving-server.ts'
import { aThing, check, create, get, list, settle } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const secret = 'sk_live_0123456789abcdef'
const token = 'tok_live_0123456789abcdef'
const credentials = { apiKey: 'key', secret }

afterEach(() => vi.restoreAllMocks())

/** Prints an error in every way that a program might. */
function printAll(error: unknown): string {
  const outputs: string[] = []
  for (let at = error, depth = 0; at !== undefined && at !== null && depth < 10; depth++) {
    outputs.push(String(at), JSON.stringify(at) ?? '')
    outputs.push(inspect(at, { depth: 10, showHidden: true, getters: true }))
    if (at instanceof Error) outputs.push(at.stack ?? '', at.message)
    at = (at as { cause?: unknown }).cause
  }
  return outputs.join('\n')
}

/** Collects the signatures and tokens of the received requests. */
function collectProofs(received: readonly Received[]): string[] {
  return received
    .flatMap(({ headers }) => [headers['x-signature'], headers.authorization].flat())
    .filter((proof) => proof !== undefined)
}

async function catchError(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    (data) => expect.fail(`resolved ${JSON.stringify(data)}`),
    (error: unknown) => error,
  )
}

function expectConcealed(text: string, proofs: readonly string[]) {
  expect(text.length).toBeGreaterThan(20)
  for (const proof of [secret, token, ...proofs]) expect(text).not.toContain(proof)
}

/** Behaves as a debugging server, which repeats the headers of the request. */
const echo =
  (status: number, shape: (shown: string, request: Received) => string): Behavior =>
  (response, request) => {
    const { headers } = request
    const shown = [headers['x-signature'], headers.authorization].filter(Boolean).join(' ')
    return respond(status, shape(shown, request))(response, request)
  }

const misbehaviors: [string, Behavior][] = [
  ['401', failure(401)],
  ['403', failure(403)],
  ['404', failure(404)],
  ['409', failure(409)],
  ['429', failure(429)],
  ['500', failure(500)],
  ['502', respond(502, 'Bad Gateway')],
  ['a reset connection', reset],
  ['a truncated response', breakOff],
  ['no response', hang],
  ['a redirect', respond(302, '', { location: '/' })],
  ['a page', respond(200, '<h1>Hello</h1>')],
  ['a record that lacks fields', envelope({ id: 1 })],
  ['a failed envelope', json(200, { code: 40_901, data: {}, msg: 'no', success: false })],
  ['a page that shows the headers', echo(500, (shown) => `<pre>${shown}</pre>`)],
  ['a message that shows the headers', echo(401, (shown) => JSON.stringify({ msg: shown, error: shown }))],
  [
    'issues that show the headers',
    echo(400, (shown) => JSON.stringify({ data: { issues: [{ path: shown, message: shown }] } })),
  ],
  [
    'good data that shows the headers',
    echo(200, (shown) => JSON.stringify({ code: 200, data: { shown }, msg: shown, success: true })),
  ],
  [
    'a settlement that shows the headers',
    echo(503, (shown) => JSON.stringify({ error: 'SettlementPending', transaction: shown })),
  ],
]

/**
 * Only a server that never answers needs a timeout. It must have received the call before, also on a loaded
 * machine.
 */
const timeoutOf = (behavior: Behavior) => (behavior === hang ? 3000 : 60_000)

describe.each(misbehaviors)('after %s', (_, behavior) => {
  it.each([
    ['get', (options: GatewayOptions) => get(createGateway(options), { id: '7' })],
    ['create', (options: GatewayOptions) => create(createGateway(options), { name: 'x' })],
    ['list', (options: GatewayOptions) => list(createGateway(options), { owner: '0xaa' })],
  ])('the error of %s contains neither the secret nor a signature', async (_, call) => {
    const server = await misbehave(behavior)
    const error = await catchError(
      call({ baseUrl: server.url, credentials, retries: 0, timeout: timeoutOf(behavior) }),
    )
    expect(collectProofs(server.received).length).toBeGreaterThan(0)
    expectConcealed(printAll(error), collectProofs(server.received))
  })

  it('the error of the facilitator does not contain the token', async () => {
    const server = await misbehave(behavior)
    const facilitator = createFacilitator({
      baseUrl: server.url,
      credentials: { token },
      retries: 0,
      timeout: timeoutOf(behavior),
    })
    const error = await catchError(check(facilitator, { version: 1 }))
    expectConcealed(printAll(error), collectProofs(server.received))
    await settle(facilitator, { version: 1 }).then(
      (data) => expect(data).toBeUndefined(),
      (error: unknown) => expectConcealed(printAll(error), collectProofs(server.received)),
    )
  })
})

it('conceals secrets in the error of a failed connection', async () => {
  const baseUrl = await findUnusedAddress()
  expectConcealed(
    printAll(await catchError(get(createGateway({ baseUrl, credentials, retries: 1 }), { id: '7' }))),
    [],
  )
  const facilitator = createFacilitator({ baseUrl, credentials: { token }, retries: 0 })
  expectConcealed(printAll(await catchError(settle(facilitator, { version: 1 }))), [])
})

it.each<[string, (init: RequestInit) => unknown]>([
  ['throws an error with the request', (init) => Object.assign(new Error('down'), { config: init })],
  [
    'throws an error whose cause has the request',
    (init) => new TypeError('fetch failed', { cause: Object.assign(new Error('down'), { init }) }),
  ],
  [
    'throws an error whose message has the headers',
    (init) => new Error(`could not send ${JSON.stringify(init.headers)}`),
  ],
  ['throws the headers themselves', (init) => init.headers],
  ['throws a text', (init) => JSON.stringify(init.headers)],
  ['throws undefined', () => undefined],
])('a custom fetch that %s does not expose secrets in the error of the call', async (_, thrown) => {
  const proofs: string[] = []
  const fetch = async (_: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>
    proofs.push(headers['x-signature'] ?? '', headers.authorization ?? '')
    throw thrown(init)
  }
  const baseUrl = 'http://127.0.0.1:1'
  const first = await catchError(create(createGateway({ baseUrl, credentials, fetch }), { name: 'x' }))
  const facilitator = createFacilitator({ baseUrl, credentials: { token }, fetch, retries: 0 })
  const second = await catchError(check(facilitator, { version: 1 }))
  expectConcealed(printAll(first) + printAll(second), proofs.filter(Boolean))
})

it.each([`${token}\nx`, `${token}\u20ac`])(
  'credentials that cannot be loaded are concealed if they are not valid in a header',
  async (bad) => {
    const server = await misbehave(json(200, {}))
    const facilitator = createFacilitator({ baseUrl: server.url, credentials: { token: bad } })
    const error = await catchError(settle(facilitator, { version: 1 }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('authorization')
    expectConcealed(printAll(error), [])
    expect(server.received.length).toBe(0)
  },
)

it('conceals secrets from hooks and from the log of hooks that throw', async () => {
  const seen: unknown[] = []
  const printedLines: string[] = []
  vi.spyOn(console, 'error').mockImplementation((...args) => {
    printedLines.push(args.map((arg) => inspect(arg, { depth: 10, showHidden: true })).join(' '))
  })
  const server = await misbehave(failure(500), failure(404))
  const receiveEvent = (event: unknown) => {
    seen.push(event)
    throw new Error('the log is full')
  }
  const hooks = { onRequest: receiveEvent, onResponse: receiveEvent, onError: receiveEvent }
  await catchError(get(createGateway({ baseUrl: server.url, credentials, hooks }), { id: '7' }))
  expect(seen.length).toBe(5)
  await vi.waitFor(() => expect(printedLines.length).toBe(5), { timeout: 30_000 })
  expectConcealed(seen.map(printAll).join() + printedLines.join(), collectProofs(server.received))
})

it('conceals secrets when a client is printed', () => {
  const gateway = createGateway({ baseUrl: 'http://127.0.0.1:1', credentials })
  const facilitator = createFacilitator({ baseUrl: 'http://127.0.0.1:1', credentials: { token } })
  expectConcealed(printAll(gateway) + printAll(facilitator), [])
})

it('returns valid data unchanged', async () => {
  const server = await misbehave(envelope({ ...aThing, name: secret }))
  expect(await get(createGateway({ baseUrl: server.url, credentials }), { id: '7' })).toMatchObject({
    name: secret,
  })
})
