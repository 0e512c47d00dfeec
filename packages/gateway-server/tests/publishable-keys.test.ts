import { contracts, lazyMinting } from '@mintmark/contracts'
import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { auctions } from '@mintmark/market'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseOrigins } from '../src/http/origins.ts'
import { createPublishableKey, revokePublishableKey } from '../src/keys/publishable-keys-store.ts'
import { routes } from '../src/main/routes.ts'
import { createAuction } from '../src/testing/auctions.ts'
import { TEST_URL, type TestGateway, testGateway } from '../src/testing/gateway.ts'
import {
  callFromPage,
  createTestPublishableKey,
  type PageRequest,
  SHOP,
} from '../src/testing/publishable-caller.ts'
import { readResponse, signature } from '../src/testing/raw-client.ts'
import { rawCallOf, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'
import { newAddress, type SampleProject } from '../src/testing/samples/sample.ts'
import { rowCounts } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
let demo: SampleProject
let publishableKey: string
let nftAddress: string
/** A read that finds something. */
let read: PageRequest
beforeAll(async () => {
  gateway = await testGateway()
  demo = await sampleProject(gateway, 'demo')
  publishableKey = (await createTestPublishableKey(gateway)).publishableKey
  nftAddress = newAddress()
  await contracts.add(demo.client, { nftAddress, name: 'Prints', nftType: 'ERC721', chainId: '84532' })
  read = { path: '/api/v1/contract/info', query: `nftAddress=${nftAddress}` }
})
afterAll(() => gateway.close())

const call = (request: PageRequest, key = publishableKey) => callFromPage(gateway, key, request)
const refused = (code: number, msg: unknown = expect.any(String)) => ({ code, data: {}, msg, success: false })
const WRONG_KEY = refused(401, 'The publishable key is wrong or revoked')
/** A moment after which servers no longer use a cached key. */
const SOON = 1500

const PUBLISHABLE = [
  'auctions.get',
  'commonSales.collections',
  'commonSales.get',
  'commonSales.list',
  'contracts.get',
  'contracts.list',
  'lazyMinting.getNft',
  'lazyMinting.listNfts',
  'nfts.get',
  'nfts.list',
  'nfts.properties',
  'offers.forNft',
  'offers.maxByTokenType',
]

const omitReferences = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, field) => (name === 'reference' ? undefined : field)))

it('a publishable key may call exactly the reads of what everybody may see in a shop', () => {
  const publishable = routes.map(({ operation }) => operation).filter((each) => each.publishable)
  expect(publishable.map(({ id }) => id).toSorted()).toEqual(PUBLISHABLE)
  for (const { method, effect, scope } of publishable)
    expect({ method, effect, scope }).toEqual({
      method: 'GET',
      effect: 'read',
      scope: expect.stringMatching(/^(contracts|market):read$/),
    })
})

it.each(PUBLISHABLE)(
  'a publishable key reads the same as a signed call, without references: %s',
  async (id) => {
    const sample = samples.find(({ operation }) => operation.id === id)
    if (sample === undefined) throw new Error(`No sample calls ${id}`)
    // The type of the sample's own operation.
    const { reference: _reference, ...input } = (await sample.input(demo)) as Record<string, unknown>
    const request = rawCallOf(sample.operation, input)
    const { method: _, body: __, ...page } = request
    const response = await call(page)
    expect(response.status).toBe(200)
    expect(response.json).toEqual(omitReferences((await demo.key.call(request)).json))
  },
)

it('a publishable key may call none of the other operations, and its calls store nothing', async () => {
  const others = routes.map(({ operation }) => operation).filter(({ id }) => !PUBLISHABLE.includes(id))
  expect(others.length).toBeGreaterThan(150)
  const before = await rowCounts(gateway)
  for (const { id, method, path } of others) {
    const response = await call({ method, path: path.replace(/\{\w+\}/g, '1') })
    expect(response.json, id).toEqual(
      refused(403, 'A publishable key cannot call this operation. Call it from your server'),
    )
  }
  expect(others.map(({ id }) => id)).toContain('events.stream')
  expect(await rowCounts(gateway)).toEqual(before)
})

it('a publishable key reads nothing of another project', async () => {
  const { publishableKey: other } = await createTestPublishableKey(gateway, { project: 'other' })
  expect((await call(read)).status).toBe(200)
  expect((await call(read, other)).status).toBe(404)
})

it('a publishable key may call only operations of its scopes', async () => {
  const { publishableKey: narrow } = await createTestPublishableKey(gateway, { scopes: ['market:read'] })
  expect((await call(read, narrow)).json).toEqual(refused(403, 'The key lacks the scope contracts:read'))
  expect((await call({ path: '/api/v1/market/common/list' }, narrow)).status).toBe(200)
})

it('a publishable key is refused by the database with a scope that writes, all scopes, no origin or the origin null', async () => {
  const db = gateway.owner.system
  const key = { project: 'demo', name: '', scopes: ['market:read'], origins: [SHOP] }
  for (const wrong of [
    { scopes: ['market:write'] },
    { scopes: ['*'] },
    { scopes: [] },
    { origins: [] },
    { origins: [SHOP, 'null'] },
  ])
    await expect(createPublishableKey(db, { ...key, ...wrong })).rejects.toThrow('violates check constraint')
})

it('a publishable key gets 401 within a second after it is revoked, even if it was just used', async () => {
  const { publishableKey: key } = await createTestPublishableKey(gateway)
  expect((await call(read, key)).status).toBe(200)
  await revokePublishableKey(gateway.owner.system, key)
  gateway.clock.ahead += SOON
  const response = await call(read, key)
  expect(response.status).toBe(401)
  expect(response.json).toEqual(WRONG_KEY)
  await expect(revokePublishableKey(gateway.owner.system, key)).rejects.toThrow(
    `No active key is named ${key}`,
  )
})

it('a publishable key sees no hidden NFT, by its id or in a list, while a signed call sees it', async () => {
  const fields = { nftAddress, name: 'Print', tokenUri: 'ipfs://print' }
  const hidden = await lazyMinting.addNft(demo.client, { ...fields, status: 'HIDDEN' })
  const shown = await lazyMinting.addNft(demo.client, fields)
  const path = '/api/v1/lazyMinting/nftInfo'
  const list = async (more = '') => {
    const { json } = await call({ path: `${path}/list`, query: `nftAddress=${nftAddress}${more}` })
    return { ids: (json.data.list as { id: number }[]).map(({ id }) => id), total: json.data.totalRow }
  }
  expect((await call({ path: `${path}/${shown.id}` })).status).toBe(200)
  expect((await call({ path: `${path}/${hidden.id}` })).status).toBe(404)
  expect(await list()).toEqual({ ids: [shown.id], total: 1 })
  expect(await list('&status=DISPLAY')).toEqual({ ids: [shown.id], total: 1 })
  expect(await list('&status=HIDDEN')).toEqual({ ids: [], total: 0 })
  expect((await lazyMinting.getNft(demo.client, { id: hidden.id })).status).toBe('HIDDEN')
  expect((await lazyMinting.listNfts(demo.client, { nftAddress })).totalRow).toBe(2)
})

it("a publishable key does not read the number of an auction's order, which its buyer and its seller get", async () => {
  const auction = await createAuction(demo, { buyoutBidAmount: '2000' })
  const bid = { auctionId: auction.id, bidder: newAddress(), amount: '2000' }
  await auctions.bid(demo.client, bid)
  const { orderNo } = await auctions.get(demo.client, { id: auction.id })
  expect(orderNo).not.toBe('')
  const response = await call({ path: '/api/v1/market/auction/info', query: `id=${auction.id}` })
  expect(response.json.data).toMatchObject({ id: auction.id, orderNo: '' })
})

describe('the origin of a call with a publishable key', () => {
  const notAllowed = refused(403, 'The publishable key does not allow calls from this origin')

  it('the origin of a call with a publishable key must be one of the key, and the response allows its page alone to read it', async () => {
    const response = await call(read)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': SHOP,
      'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
      'cache-control': 'no-store',
      vary: 'Origin, X-Publishable-Key',
    })
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it('the origin of a call with a publishable key that is allowed can read errors too', async () => {
    for (const request of [
      { ...read, query: `nftAddress=${newAddress()}` },
      { ...read, query: '' },
    ]) {
      const response = await call(request)
      expect([400, 404]).toContain(response.status)
      expect(response.headers.get('access-control-allow-origin')).toBe(SHOP)
    }
  })

  it.each([
    'https://shop.example.evil.com',
    'https://evil.com/https://shop.example',
    'https://evilshop.example',
    'https://www.shop.example',
    'https://shop.exampl',
    'https://SHOP.example',
    'HTTPS://shop.example',
    'https://shop.example.',
    'https://shop.example:443',
    'https://shop.example:8443',
    'https://shop.example/',
    'https://user@shop.example',
    'http://shop.example',
    'shop.example',
    '*',
    'null',
    '',
    `${SHOP}, https://evil.com`,
    `https://evil.com, ${SHOP}`,
  ])('the origin of a call with a publishable key is refused if it is %j', async (origin) => {
    const response = await call({ ...read, origin })
    expect(response.status).toBe(403)
    expect(response.json).toEqual(notAllowed)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
    expect(response.headers.get('vary')).toBe('Origin, X-Publishable-Key')
  })

  it('the origin of a call with a publishable key may be missing only where the browser states that the page has the origin of the server', async () => {
    const { publishableKey: own } = await createTestPublishableKey(gateway, { origins: [TEST_URL] })
    const from = (site: string, more: Partial<PageRequest> = {}) => ({
      ...read,
      origin: null,
      headers: { 'sec-fetch-site': site },
      ...more,
    })
    expect((await call(from('same-origin'), own)).status).toBe(200)
    for (const site of ['same-site', 'cross-site', 'none', 'SAME-ORIGIN', ''])
      expect((await call(from(site), own)).json, site).toEqual(notAllowed)
    expect((await call({ ...read, origin: null }, own)).json).toEqual(notAllowed)
    expect((await call(from('same-origin', { origin: 'null' }), own)).json).toEqual(notAllowed)
    expect((await call(from('same-origin'))).json).toEqual(notAllowed)
  })

  it.each([
    ['*', 'expected an origin'],
    ['null', 'expected an origin'],
    ['', 'expected an origin'],
    ['ftp://shop.example', 'expected an origin'],
    ['https://*.shop.example', 'contains a wildcard'],
    ['https://Shop.example', 'as browsers do: https://shop.example'],
    ['https://shop.example:443', 'as browsers do: https://shop.example'],
    ['https://shop.example/', 'as browsers do: https://shop.example'],
    ['https://shop.example/path', 'as browsers do: https://shop.example'],
    ['https://shop.example,evil', 'received "evil"'],
  ])('the origin of a call with a publishable key cannot be listed as %j', (text, message) => {
    expect(() => parseOrigins(text)).toThrow(message)
  })

  it('the origin of a call with a publishable key is listed as browsers write it', () => {
    expect(parseOrigins('https://shop.example, http://localhost:5173,https://shop.example')).toEqual([
      'https://shop.example',
      'http://localhost:5173',
    ])
    expect(() => parseOrigins(Array.from({ length: 101 }, (_, n) => `https://${n}.example`).join())).toThrow(
      'at most 100',
    )
  })
})

it('a key of another kind is not accepted as a publishable key', async () => {
  const { apiKey, secret } = demo.key
  for (const other of [apiKey, secret, '', 'pk_', `${publishableKey}x`, publishableKey.toUpperCase()])
    expect((await call(read, other)).json, other).toEqual(WRONG_KEY)
})

it('a key of another kind does not sign: a publishable key has no secret', async () => {
  const request = { method: 'GET', path: read.path, query: read.query ?? '', body: new Uint8Array() }
  for (const secret of ['', publishableKey]) {
    const timestamp = String(Date.now() + gateway.clock.ahead)
    const headers = {
      'x-api-key': publishableKey,
      'x-signature': signature(secret, { ...request, timestamp }),
      'x-timestamp': timestamp,
    }
    const response = await readResponse(
      await gateway.app.fetch(new Request(`${TEST_URL}${read.path}?${read.query}`, { headers })),
    )
    expect(response.json).toEqual(refused(401, 'The key or the signature is wrong'))
  }
})

it('a key of another kind cannot be sent together with a publishable key, whether the signature is valid or forged', async () => {
  const valid = Object.fromEntries(demo.key.request(read).headers)
  for (const headers of [
    valid,
    { ...valid, 'x-signature': 'f'.repeat(64) },
    { 'x-api-key': demo.key.apiKey },
    { 'x-signature': '' },
    { 'x-timestamp': '1' },
  ]) {
    const response = await call({ ...read, headers })
    expect(response.status).toBe(401)
    expect(response.json.msg).toBe('Send X-Publishable-Key or a signature, not both')
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
})

describe('guessed publishable keys', () => {
  const guess = (at: number) => `pk_${String(at).padStart(22, 'x')}`

  it('guessed publishable keys get the same response as a revoked one', async () => {
    const { publishableKey: revoked } = await createTestPublishableKey(gateway)
    await revokePublishableKey(gateway.owner.system, revoked)
    const texts = [revoked, guess(1), 'pk_short', demo.key.apiKey].map(async (key) => {
      const { text, headers } = await call(read, key)
      return [text, headers.get('vary'), headers.has('access-control-allow-origin')]
    })
    const [first, ...others] = await Promise.all(texts)
    for (const other of others) expect(other).toEqual(first)
  })

  it('guessed publishable keys of one address are refused before they are looked up, and a valid key from there still works', async () => {
    const app = await gateway.another({ trustedProxyHops: 1 })
    const from = (address: string) => ({ ...read, app, headers: { 'x-forwarded-for': address } })
    expect((await call(from('192.0.2.1'))).status).toBe(200)
    const statuses: number[] = []
    for (let at = 0; at < 25; at++) statuses.push((await call(from('192.0.2.1'), guess(at))).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
    expect((await call(from('192.0.2.1'))).status).toBe(200)
    expect((await call(from('192.0.2.2'), guess(1))).status).toBe(401)
  })
})

describe('a flood of calls with a publishable key', () => {
  const slow = { perSecond: 0.001, burst: 1000 }

  it('a flood of calls with a publishable key is limited by the rate of the key, and its signed calls are not', async () => {
    const publishableLimits = { rateLimit: { perSecond: 0.001, burst: 3 }, addressRateLimit: slow }
    const app = await gateway.another({ publishableLimits })
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) statuses.push((await call({ ...read, app })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const limited = await call({ ...read, app })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(900)
    expect(limited.headers.get('access-control-allow-origin')).toBe(SHOP)
    expect((await readResponse(await app.fetch(demo.key.request(read)))).status).toBe(200)
  })

  it('a flood of calls with a publishable key is limited by the rate of its address, over all keys', async () => {
    const publishableLimits = { rateLimit: slow, addressRateLimit: { perSecond: 0.001, burst: 2 } }
    const app = await gateway.another({ publishableLimits, trustedProxyHops: 1 })
    const { publishableKey: other } = await createTestPublishableKey(gateway)
    const from = (address: string) => ({ ...read, app, headers: { 'x-forwarded-for': address } })
    expect((await call(from('192.0.2.1'))).status).toBe(200)
    expect((await call(from('192.0.2.1'), other)).status).toBe(200)
    expect((await call(from('192.0.2.1'))).status).toBe(429)
    expect((await call(from('192.0.2.1'), other)).status).toBe(429)
    expect((await call(from('192.0.2.2'))).status).toBe(200)
    expect((await call(from('2001:db8::1'))).status).toBe(200)
    expect((await call(from('2001:db8::2'))).status).toBe(200)
    expect((await call(from('2001:db8::3'))).status).toBe(429)
  })

  it("a flood of calls with a publishable key takes no place of the project's signed calls", async () => {
    const app = await gateway.another({ concurrentCalls: 2 })
    const list = { path: '/api/v1/lazyMinting/nftInfo/list', query: `nftAddress=${nftAddress}`, app }
    expect((await call(list)).status).toBe(200)
    const client = await gateway.owner.pool.connect()
    try {
      await client.query('begin; lock table gateway.mintable_nfts in access exclusive mode')
      const waiting = call(list)
      await waitForBlockedStatements(gateway.owner.system)
      expect((await call(list)).status).toBe(429)
      const signed = await Promise.all([read, read].map((each) => app.fetch(demo.key.request(each))))
      expect(signed.map(({ status }) => status)).toEqual([200, 200])
      await client.query('rollback')
      expect((await waiting).status).toBe(200)
    } finally {
      client.release()
    }
  })
})

describe('a preflight of a call with a publishable key', () => {
  const preflight = async (origin: string, more: Record<string, string> = {}, app = gateway.app) => {
    const headers = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-publishable-key',
      ...more,
    }
    return await app.fetch(new Request(`${TEST_URL}${read.path}`, { method: 'OPTIONS', headers }))
  }

  it('a preflight of a call with a publishable key allows GET with the key to the origins of keys alone', async () => {
    const response = await preflight(SHOP)
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toEqual({
      'access-control-allow-headers': 'X-Publishable-Key',
      'access-control-allow-methods': 'GET',
      'access-control-allow-origin': SHOP,
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    })
    for (const origin of ['https://shop.example.evil.com', 'https://SHOP.example', `${SHOP}.`, 'null', '%']) {
      const refusedPreflight = await preflight(origin)
      expect(refusedPreflight.status, origin).toBe(403)
      expect(refusedPreflight.headers.has('access-control-allow-origin'), origin).toBe(false)
    }
  })

  it('a preflight of a call with a publishable key of a write is not allowed', async () => {
    const response = await preflight(SHOP, { 'access-control-request-method': 'POST' })
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  })

  it('a preflight of a call with a publishable key is not allowed within a second after the last key of its origin is revoked', async () => {
    const origin = 'https://closed.example'
    const { publishableKey: key } = await createTestPublishableKey(gateway, { origins: [origin] })
    expect((await preflight(origin)).status).toBe(204)
    await revokePublishableKey(gateway.owner.system, key)
    gateway.clock.ahead += SOON
    expect((await preflight(origin)).status).toBe(403)
  })

  it('a preflight of a call with a publishable key leaves the preflights of signed calls to CORS_ORIGINS', async () => {
    const app = await gateway.another({ corsOrigins: ['https://other.example'] })
    const signed = { 'access-control-request-headers': 'x-api-key,x-signature,x-timestamp' }
    const allowed = await preflight('https://other.example', signed, app)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://other.example')
    expect((await preflight(SHOP, signed, app)).headers.has('access-control-allow-origin')).toBe(false)
  })
})
