import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as envelope from '@mintmark/envelope'
import * as feed from '@mintmark/events'
import * as facilitatorDomain from '@mintmark/facilitator'
import * as market from '@mintmark/market'
import * as orders from '@mintmark/orders'
import * as transport from '@mintmark/transport'
import * as wallet from '@mintmark/wallet'
import * as mintmarkModule from 'mintmark'
import { createMintmark, isErrorOf, MissingCredentialsError, NotFoundError } from 'mintmark'
import { respondTo, testClient } from 'mintmark/testing'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

const baseUrl = 'http://127.0.0.1:1'
const credentials = { apiKey: 'mk_test', secret: 'sk_test' }
const health = { chains: ['eip155:84532'], status: 'ok', version: '1.0.0' }

/** Records the requests that are sent, and responds to each with the same JSON. */
function recordRequests(body: unknown) {
  const requests: { url: string; method: string; headers: Headers; text: string }[] = []
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const request = new Request(url, init)
    const { method, headers } = request
    requests.push({ url, method, headers, text: await request.text() })
    return Response.json(body)
  }
  return { requests, fetch }
}

/** A page of micropayment orders, of which the facilitator has two pages. */
function orderPage(pageNumber: number) {
  const item = {
    orderNo: `order-${pageNumber}`,
    payer: '',
    account: '',
    status: 'settled',
    price: '0',
    network: '',
    scheme: 'exact',
    asset: '',
    payTo: '',
    amount: '0',
    refunded: '0',
    transaction: '',
    resource: '',
    upstreamStatus: 0,
    createTime: '2026-01-01T00:00:00.000Z',
  }
  return {
    firstPage: pageNumber === 1,
    lastPage: pageNumber === 2,
    list: [item],
    orderBy: '',
    pageNumber,
    pageSize: 1,
    paras: {},
    totalPage: 2,
    totalRow: 2,
  }
}

it('createMintmark sends a signed request to the gateway for a bound operation', async () => {
  const { requests, fetch } = recordRequests({ code: 200, data: {}, msg: '', success: true })
  const mintmark = createMintmark({ gateway: { baseUrl, credentials, fetch, responses: 'off' } })
  await mintmark.promoCodeCards.update({ id: 7, name: 'Two for one' }, { headers: { 'x-trace': 't-1' } })
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatchObject({
    url: `${baseUrl}${cards.promoCodeCards.update.path}`,
    method: cards.promoCodeCards.update.method,
    text: JSON.stringify({ id: 7, name: 'Two for one' }),
  })
  expect(requests[0]?.headers.get('x-api-key')).toBe('mk_test')
  expect(requests[0]?.headers.get('x-signature')).toMatch(/^[0-9a-f]{64}$/)
  expect(requests[0]?.headers.get('x-trace')).toBe('t-1')
})

it('createMintmark names the service whose base URL is missing or malformed, without its text', () => {
  const secret = 'sk_misplaced'
  const create = (text?: string) => () =>
    createMintmark({ gateway: { baseUrl: text as string, credentials } })
  expect(create()).toThrow('gateway.baseUrl is not set. Is the environment variable set?')
  expect(create('')).toThrow('gateway.baseUrl is not set')
  expect(create(secret)).toThrow('gateway.baseUrl does not begin with http:// or https://')
  expect(create(secret)).not.toThrow(secret)
  const facilitator = { baseUrl: undefined as unknown as string }
  expect(() => createMintmark({ facilitator })).toThrow('facilitator.baseUrl is not set')
})

it('createMintmark reads all pages and all items without a client argument', async () => {
  const client = testClient('facilitator', [
    respondTo(facilitatorDomain.micropaymentOrders.list, ({ pageNumber = 1 }) => orderPage(pageNumber)),
  ])
  const { micropaymentOrders } = createMintmark({ facilitator: client })
  const pageNumbers: number[] = []
  for await (const page of micropaymentOrders.list.pages({ status: 'settled' })) {
    pageNumbers.push(page.pageNumber)
  }
  expect(pageNumbers).toEqual([1, 2])
  const orderNumbers: string[] = []
  for await (const { orderNo } of micropaymentOrders.list.items()) orderNumbers.push(orderNo)
  expect(orderNumbers).toEqual(['order-1', 'order-2'])
  expect(client.calls[0]).toEqual({ operation: 'micropaymentOrders.list', input: { status: 'settled' } })
})

it('createMintmark iterates over a stream of events without a client argument', async () => {
  const urls: string[] = []
  async function fetch(url: string): Promise<Response> {
    urls.push(url)
    const body = 'id: 8\ndata: {"sequence":8}\n\n'
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const mintmark = createMintmark({ gateway: { baseUrl, credentials, fetch } })
  for await (const { sequence } of mintmark.events.stream({ after: 7, types: 'order.*' })) {
    expect(sequence).toBe(8)
    break
  }
  expect(urls).toEqual([`${baseUrl}/api/v1/events/stream?after=7&types=order.%2A`])
  expect(mintmark.events.stream.id).toBe('events.stream')
})

it('createMintmark keeps the properties of an operation, so that its errors can be recognized', async () => {
  const operation = cards.promoCodeCards.get
  const gateway = testClient('gateway', [
    respondTo(operation, () => {
      throw new NotFoundError('not found', { operation: operation.id, status: 404 })
    }),
  ])
  const mintmark = createMintmark({ gateway })
  const error = await mintmark.promoCodeCards.get({ id: 7 }).catch((caught: unknown) => caught)
  expect(isErrorOf(mintmark.promoCodeCards.get, error)).toBe(true)
  expect(isErrorOf(mintmark.promoCodeCards.list, error)).toBe(false)
  expect({ ...mintmark.promoCodeCards.get }).toMatchObject({ id: operation.id, path: operation.path })
})

it('createMintmark says what to pass when a group of a service that was left out is used', () => {
  const mintmark = createMintmark({ gateway: testClient('gateway', []) })
  // @ts-expect-error the facilitator was left out
  expect(() => mintmark.payments.supported()).toThrow(
    'payments is a group of the facilitator, which createMintmark was called without. Pass facilitator: { baseUrl, credentials: { token } }',
  )
  const facilitator = createMintmark({ facilitator: testClient('facilitator', []) })
  // @ts-expect-error the gateway was left out
  expect(() => facilitator.promoCodeCards).toThrow('Pass gateway: { baseUrl, credentials')
  expect(Object.keys({ ...mintmark })).not.toContain('payments')
})

it('createMintmark names what is missing in the options of a service', () => {
  expect(() => createMintmark({ gateway: { baseUrl, ...credentials } })).toThrow(
    'gateway has no credentials. Pass gateway: { baseUrl, credentials: { apiKey, secret } }, or set MINTMARK_GATEWAY_URL, MINTMARK_API_KEY, MINTMARK_SECRET',
  )
  expect(() => createMintmark({ gateway: {} })).toThrow('gateway has no baseUrl and no credentials')
  expect(() => createMintmark({ facilitator: {} })).toThrow('facilitator has no baseUrl')
})

it('createMintmark takes what is left out from the environment, and names what is missing there', async () => {
  expect(() => createMintmark()).toThrow(MissingCredentialsError)
  vi.stubEnv('MINTMARK_GATEWAY_URL', baseUrl)
  vi.stubEnv('MINTMARK_API_KEY', credentials.apiKey)
  expect(() => createMintmark()).toThrow(expect.objectContaining({ variables: ['MINTMARK_SECRET'] }))
  vi.stubEnv('MINTMARK_SECRET', credentials.secret)
  const requests: Request[] = []
  const options = {
    async fetch(url: string, init: RequestInit) {
      requests.push(new Request(url, init))
      return Response.json({ code: 200, data: { points: 7 }, msg: '', success: true })
    },
  }
  for (const gateway of [options, { ...options, baseUrl }, { ...options, credentials }])
    await createMintmark({ gateway }).gateway.request({ method: 'GET', path: '/points' })
  const [first] = requests
  expect(first?.url).toBe(`${baseUrl}/points`)
  expect(requests.map(({ headers }) => headers.get('x-api-key'))).toEqual(Array(3).fill(credentials.apiKey))
  expect(() => createMintmark().payments).toThrow('which createMintmark was called without')
})

it('createMintmark takes each option that is left out from the environment, where the token is optional', async () => {
  const gatewayUrl = 'https://gateway.example.com'
  const facilitatorUrl = 'https://pay.example.com'
  vi.stubEnv('MINTMARK_GATEWAY_URL', gatewayUrl)
  vi.stubEnv('MINTMARK_FACILITATOR_URL', facilitatorUrl)
  const { requests, fetch } = recordRequests({ ...health, code: 200, data: {}, msg: '', success: true })
  const mintmark = createMintmark({
    gateway: { credentials, fetch, responses: 'off' },
    facilitator: { fetch },
  })
  await mintmark.payments.health()
  await mintmark.gateway.request({ method: 'GET', path: '/points' })
  const options = { credentials: { token: 'given' }, fetch }
  await createMintmark({ facilitator: options }).payments.health()
  const sent = requests.map(({ url, headers }) => [
    new URL(url).origin,
    headers.get('x-api-key') ?? headers.get('authorization'),
  ])
  expect(sent).toEqual([
    [facilitatorUrl, null],
    [gatewayUrl, 'mk_test'],
    [facilitatorUrl, 'Bearer given'],
  ])
  vi.stubEnv('MINTMARK_API_KEY', 'mk_env')
  vi.stubEnv('MINTMARK_SECRET', 'sk_env')
  expect(createMintmark).not.toThrow()
})

it.each([
  ['of another address', 'https://server.example.com'],
  ['of a longer address', 'https://server.test.evil.test'],
  ['of another port', 'https://server.test:444'],
  ['of another scheme', 'http://server.test'],
  ['without an address', ''],
])('createMintmark never sends credentials of an environment %s to a server', async (_, url) => {
  const environment = {
    MINTMARK_GATEWAY_URL: url,
    MINTMARK_API_KEY: 'mk_env',
    MINTMARK_SECRET: 'sk_env',
    MINTMARK_FACILITATOR_URL: url,
    MINTMARK_FACILITATOR_TOKEN: 'token_env',
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const { requests, fetch } = recordRequests(health)
  const options = { baseUrl: 'https://server.test', fetch }
  expect(() => createMintmark({ gateway: options })).toThrow('gateway has no credentials. Pass gateway')
  await createMintmark({ facilitator: options }).payments.health()
  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([null])
})

it('createMintmark rejects options without a service', () => {
  // @ts-expect-error a service is required
  expect(() => createMintmark({})).toThrow('createMintmark has no service')
})

const modules: Readonly<Record<string, object>> = {
  admin,
  wallet,
  cards,
  contracts,
  market,
  orders,
  events: feed,
  facilitator: facilitatorDomain,
  transport,
}

it('the domains that mintmark combines export the same name only for the same value', () => {
  const values = new Map<string, unknown>()
  const conflicts: string[] = []
  for (const [moduleName, module] of Object.entries(modules)) {
    for (const [name, value] of Object.entries(module)) {
      if (values.has(name) && values.get(name) !== value) conflicts.push(`${moduleName}.${name}`)
      values.set(name, value)
    }
  }
  expect(conflicts).toEqual([])
})

it('the domains that mintmark combines are exported by mintmark, with every error class of the envelope', () => {
  const domainNames = Object.values(modules).flatMap((module) => Object.keys(module))
  const errorNames = Object.entries(envelope).flatMap(([name, value]) =>
    typeof value === 'function' && value.prototype instanceof Error ? [name] : [],
  )
  expect(errorNames.length).toBeGreaterThan(10)
  expect(Object.keys(mintmarkModule)).toEqual(
    expect.arrayContaining([...domainNames, ...errorNames, 'isMintmarkError']),
  )
})
