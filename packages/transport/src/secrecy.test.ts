import { inspect } from 'node:util'
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
  type Received,
  reset,
  say,
} from '../testdata/misbehaving-server.ts'
import { aThing, check, create, get, list, settle } from '../testdata/things.ts'
import { createFacilitator } from './facilitator.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const secret = 'sk_live_0123456789abcdef'
const token = 'tok_live_0123456789abcdef'
const credentials = { apiKey: 'key', secret }

afterEach(() => vi.restoreAllMocks())

/** Every way in which a program may print an error. */
function printed(error: unknown): string {
  const said: string[] = []
  for (let at = error, depth = 0; at !== undefined && at !== null && depth < 10; depth++) {
    said.push(String(at), JSON.stringify(at) ?? '')
    said.push(inspect(at, { depth: 10, showHidden: true, getters: true }))
    if (at instanceof Error) said.push(at.stack ?? '', at.message)
    at = (at as { cause?: unknown }).cause
  }
  return said.join('\n')
}

/** What must not be seen of the requests that were sent. */
function proofsOf(received: readonly Received[]): string[] {
  return received
    .flatMap(({ headers }) => [headers['x-signature'], headers.authorization].flat())
    .filter((proof) => proof !== undefined)
}

async function failing(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    (data) => expect.fail(`resolved ${JSON.stringify(data)}`),
    (error: unknown) => error,
  )
}

function expectNothingIn(text: string, proofs: readonly string[]) {
  expect(text.length).toBeGreaterThan(20)
  for (const proof of [secret, token, ...proofs]) expect(text).not.toContain(proof)
}

/** A debugging server, which shows the caller what it was sent. */
const echo =
  (status: number, shape: (shown: string, request: Received) => string): Behaviour =>
  (response, request) => {
    const { headers } = request
    const shown = [headers['x-signature'], headers.authorization].filter(Boolean).join(' ')
    return say(status, shape(shown, request))(response, request)
  }

const misbehaviours: [string, Behaviour][] = [
  ['401', failure(401)],
  ['403', failure(403)],
  ['404', failure(404)],
  ['409', failure(409)],
  ['429', failure(429)],
  ['500', failure(500)],
  ['502', say(502, 'Bad Gateway')],
  ['a connection that breaks', reset],
  ['an answer that breaks off', breakOff],
  ['no answer', hang],
  ['a redirect', say(302, '', { location: '/' })],
  ['a page', say(200, '<h1>Hello</h1>')],
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

describe.each(misbehaviours)('after %s', (_, behaviour) => {
  it.each([
    ['get', (options: GatewayOptions) => get(createGateway(options), { id: '7' })],
    ['create', (options: GatewayOptions) => create(createGateway(options), { name: 'x' })],
    ['list', (options: GatewayOptions) => list(createGateway(options), { owner: '0xaa' })],
  ])('no error of %s shows the secret or a signature', async (_, call) => {
    const server = await misbehave(behaviour)
    const error = await failing(call({ baseUrl: server.url, credentials, retries: 0, timeout: 500 }))
    expect(proofsOf(server.received).length).toBeGreaterThan(0)
    expectNothingIn(printed(error), proofsOf(server.received))
  })

  it('no error of the facilitator shows the token', async () => {
    const server = await misbehave(behaviour)
    const facilitator = createFacilitator({
      baseUrl: server.url,
      credentials: { token },
      retries: 0,
      timeout: 500,
    })
    const error = await failing(check(facilitator, { version: 1 }))
    expectNothingIn(printed(error), proofsOf(server.received))
    await settle(facilitator, { version: 1 }).then(
      (data) => expect(data).toBeUndefined(),
      (error: unknown) => expectNothingIn(printed(error), proofsOf(server.received)),
    )
  })
})

it('no error of a connection that was never made shows them', async () => {
  const baseUrl = await nobody()
  expectNothingIn(
    printed(await failing(get(createGateway({ baseUrl, credentials, retries: 1 }), { id: '7' }))),
    [],
  )
  const facilitator = createFacilitator({ baseUrl, credentials: { token }, retries: 0 })
  expectNothingIn(printed(await failing(settle(facilitator, { version: 1 }))), [])
})

describe('a fetch of the caller', () => {
  it.each<[string, (init: RequestInit) => unknown]>([
    ['hangs the request on its error', (init) => Object.assign(new Error('down'), { config: init })],
    [
      'hangs it on the cause',
      (init) => new TypeError('fetch failed', { cause: Object.assign(new Error('down'), { init }) }),
    ],
    ['says it all', (init) => new Error(`could not send ${JSON.stringify(init.headers)}`)],
    ['throws the headers themselves', (init) => init.headers],
    ['throws a text', (init) => JSON.stringify(init.headers)],
    ['throws nothing', () => undefined],
  ])('that %s does not get it into ours', async (_, thrown) => {
    const proofs: string[] = []
    const fetch = async (_: string, init: RequestInit) => {
      const headers = init.headers as Record<string, string>
      proofs.push(headers['x-signature'] ?? '', headers.authorization ?? '')
      throw thrown(init)
    }
    const baseUrl = 'http://127.0.0.1:1'
    const first = await failing(create(createGateway({ baseUrl, credentials, fetch }), { name: 'x' }))
    const facilitator = createFacilitator({ baseUrl, credentials: { token }, fetch, retries: 0 })
    const second = await failing(check(facilitator, { version: 1 }))
    expectNothingIn(printed(first) + printed(second), proofs.filter(Boolean))
  })
})

describe('credentials that fail', () => {
  it('end the call in their own error, with nothing hung on it', async () => {
    const down = new Error('the vault is sealed')
    const fail = () => Promise.reject(down)
    const error = await failing(
      get(createGateway({ baseUrl: 'http://127.0.0.1:1', credentials: fail }), { id: '7' }),
    )
    expect(error).toBe(down)
    expect(Object.keys(down)).toEqual([])
  })

  it('while they sign end the call in their own error', async () => {
    const down = new Error('the key service is down')
    const signing = { apiKey: 'key', sign: () => Promise.reject(down) }
    const call = get(createGateway({ baseUrl: 'http://127.0.0.1:1', credentials: signing }), { id: '7' })
    expect(await failing(call)).toBe(down)
  })

  it.each([`${token}\nx`, `${token}\u20ac`])('because no header can hold them are not shown', async (bad) => {
    const server = await misbehave(json(200, {}))
    const facilitator = createFacilitator({ baseUrl: server.url, credentials: { token: bad } })
    const error = await failing(settle(facilitator, { version: 1 }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('authorization')
    expectNothingIn(printed(error), [])
    expect(server.received.length).toBe(0)
  })
})

it('no hook is told, and none that throws prints them', async () => {
  const seen: unknown[] = []
  const printedLines: string[] = []
  vi.spyOn(console, 'error').mockImplementation((...args) => {
    printedLines.push(args.map((arg) => inspect(arg, { depth: 10, showHidden: true })).join(' '))
  })
  const server = await misbehave(failure(500), failure(404))
  const tell = (event: unknown) => {
    seen.push(event)
    throw new Error('the log is full')
  }
  const hooks = { onRequest: tell, onResponse: tell, onError: tell }
  await failing(get(createGateway({ baseUrl: server.url, credentials, hooks }), { id: '7' }))
  expect(seen.length).toBe(5)
  await vi.waitFor(() => expect(printedLines.length).toBe(5), { timeout: 30_000 })
  expectNothingIn(seen.map(printed).join() + printedLines.join(), proofsOf(server.received))
})

it('a client itself prints none of them', () => {
  const gateway = createGateway({ baseUrl: 'http://127.0.0.1:1', credentials })
  const facilitator = createFacilitator({ baseUrl: 'http://127.0.0.1:1', credentials: { token } })
  expectNothingIn(printed(gateway) + printed(facilitator), [])
})

it('data that is good comes as it was sent', async () => {
  const server = await misbehave(envelope({ ...aThing, name: secret }))
  expect(await get(createGateway({ baseUrl: server.url, credentials }), { id: '7' })).toMatchObject({
    name: secret,
  })
})
