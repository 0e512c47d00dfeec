import { readFileSync } from 'node:fs'
import { createGateway } from '@mintmark/transport'
import { fixedClock } from '@mintmark/transport/testing'
import { words } from '@mintmark/wallet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey, rotateKey } from '../keys/keys-store.ts'
import { type TestGateway, type TestKey, testGateway } from '../testing/gateway.ts'
import { captureStatements } from '../testing/list-statements.ts'
import { rawClient, readResponse, signature } from '../testing/raw-client.ts'
import { callOf, type StatedOperation, statedOperations } from '../testing/stated-operations.ts'
import { insertStatedRows, rowCounts } from '../testing/stated-rows.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await insertStatedRows(gateway, gateway.key.projectId)
})
afterAll(() => gateway.close())

const SKEW = 300_000
const writes = statedOperations.filter(({ method }) => method === 'POST')
const isWrite = ({ method }: StatedOperation) => method === 'POST'
const valid = (operation: StatedOperation) => callOf(operation, operation.valid)

async function send(request: Request, app = gateway.app) {
  return await readResponse(await app.fetch(request))
}

/** The same request with something of it changed, under the signature it had. */
async function altered(
  request: Request,
  change: { url?: string; method?: string; body?: string; headers?: object },
) {
  const body = change.body ?? (request.body === null ? undefined : await request.clone().text())
  const { 'content-length': _, ...headers } = Object.fromEntries(request.headers)
  return new Request(change.url ?? request.url, {
    method: change.method ?? request.method,
    headers: { ...headers, ...change.headers },
    ...(body !== undefined && { body }),
  })
}

const refused = (code: number, data = {}) => ({ code, data, msg: expect.any(String), success: false })

it('signs in its tests as the published vectors say', () => {
  const vectors = new URL('../../../core-auth/testdata/signing-vectors.json', import.meta.url)
  for (const vector of JSON.parse(readFileSync(vectors, 'utf8'))) {
    const query = new URLSearchParams(vector.query).toString()
    const body = new TextEncoder().encode(vector.body)
    expect(signature(vector.secret, { ...vector, query, body })).toBe(vector.signature)
  }
})

describe.each(statedOperations)('operation $number is 401', (operation) => {
  it.each([
    ['without a key', { 'x-api-key': '' }],
    ['without a signature', { 'x-signature': '' }],
    ['without a timestamp', { 'x-timestamp': '' }],
    ['with a malformed signature', { 'x-signature': 'ff' }],
    ['with the signature of nothing', { 'x-signature': '0'.repeat(64) }],
    ['with a key that does not exist', { 'x-api-key': 'mk_nobody' }],
    ['with a timestamp in seconds', { 'x-timestamp': '2026-01-01T00:00:00Z' }],
    ['with a timestamp below zero', { 'x-timestamp': '-1' }],
  ])('%s', async (_, headers) => {
    const answer = await gateway.key.call({ ...valid(operation), headers })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual(refused(401))
  })

  it('when another secret signed it', async () => {
    const answer = await gateway.key.call({ ...valid(operation), secret: 'sk_guessed' })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual(refused(401))
  })

  it('when its path, query, body, method or timestamp is not what was signed', async () => {
    const fresh = () => gateway.key.request(valid(operation))
    const address = new URL(fresh().url)
    const timestamp = fresh().headers.get('x-timestamp')
    const changes = [
      { url: `${address.origin}${address.pathname.replace('/api', '/%61pi')}${address.search}` },
      { url: `${address.href}${address.search ? '&' : '?'}pageSize=1` },
      { headers: { 'x-timestamp': `${Number(timestamp) + 1}` } },
      ...(isWrite(operation) ? [{ body: '{"name":"another"}' }, { body: '' }] : []),
      ...(operation.input.in === 'path' ? [{ url: address.href.replace(/\d+$/, '2') }] : []),
      ...(operation.input.in === 'query' ? [{ url: `${address.href}0` }] : []),
    ]
    for (const change of changes) {
      const answer = await send(await altered(fresh(), change))
      expect(answer.status, JSON.stringify(change)).toBe(401)
      expect(answer.json).toEqual(refused(401))
    }
  })

  it('when its timestamp is too old or too new, by a code of its own', async () => {
    for (const ahead of [-SKEW - 2000, SKEW + 2000]) {
      const answer = await gateway.key.call({ ...valid(operation), timestamp: Date.now() + ahead })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual(refused(40101, { reason: 'STALE_TIMESTAMP' }))
    }
  })

  it('and stores nothing', async () => {
    const before = await rowCounts(gateway)
    await gateway.key.call({ ...valid(operation), secret: 'sk_guessed' })
    await gateway.key.call({ ...valid(operation), timestamp: 1 })
    expect(await rowCounts(gateway)).toEqual(before)
  })
})

it('takes a call whose timestamp is within the window', async () => {
  for (const ahead of [-SKEW + 5000, SKEW - 5000]) {
    const answer = await gateway.key.call({
      path: '/api/v1/contract/info',
      query: 'nftAddress=0x1111111111111111111111111111111111111111',
      timestamp: Date.now() + ahead,
    })
    expect(answer.status).toBe(404)
  }
})

it('gives an unknown key and a wrong signature the same response', async () => {
  const request = {
    path: '/api/v1/contract/info',
    query: 'nftAddress=0x1111111111111111111111111111111111111111',
  }
  const unknown = await gateway.key.call({ ...request, headers: { 'x-api-key': 'mk_nobody' } })
  const wrong = await gateway.key.call({ ...request, secret: 'sk_guessed' })
  expect(unknown.text).toBe(wrong.text)
})

it('refuses a signature that was made for another method', async () => {
  const path = '/api/v1/card/promoCodeCards/1'
  const head = await altered(gateway.key.request({ path }), { method: 'HEAD' })
  expect((await gateway.app.fetch(head)).status).toBe(401)
})

it('signs the same for the query in another order and encoding', async () => {
  const path = '/api/v1/contract/page'
  const request = gateway.key.request({ path, query: 'keyword=a%20b&pageSize=5' })
  const answer = await send(
    await altered(request, { url: `http://gateway.test${path}?pageSize=5&keyword=a+b` }),
  )
  expect(answer.status).toBe(200)
})

it.each(writes)('a signature of a write counts once: operation $number', async (operation) => {
  const request = () => gateway.key.request({ ...valid(operation), timestamp })
  const timestamp = Date.now() + writes.indexOf(operation)
  await send(request())
  const before = await rowCounts(gateway)
  const again = await send(request())
  expect(again.status).toBe(401)
  expect(again.json).toEqual(refused(40102, { reason: 'SIGNATURE_REPLAYED' }))
  const elsewhere = await send(request(), await gateway.another())
  expect(elsewhere.json).toEqual(refused(40102, { reason: 'SIGNATURE_REPLAYED' }))
  expect(await rowCounts(gateway)).toEqual(before)
})

it('a signature of a write of two processes at the same time is refused, and signed again by one of them', async () => {
  const responses: number[] = []
  const now = fixedClock(Date.now() + 120_000)
  const createProcess = () =>
    createGateway({
      baseUrl: 'http://gateway.test',
      credentials: gateway.key,
      now,
      async fetch(url, init) {
        const response = await gateway.app.fetch(new Request(url, init))
        responses.push(response.status)
        return response
      },
    })
  const message = { sender: `0x${'5'.repeat(40)}`, recipient: `0x${'6'.repeat(40)}`, content: 'Hello' }
  const processes = [createProcess(), createProcess()]
  const sent = await Promise.all(
    processes.map((each, index) => words.add(each, message, { idempotencyKey: `process-${index}` })),
  )
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
  expect(responses.sort()).toEqual([200, 200, 401])
})

it('a signature of a write is used up by a call that was refused', async () => {
  const [write] = writes
  if (!write) throw new Error('no write is listed')
  const request = { ...callOf(write, { ...write.valid, name: '' }), timestamp: Date.now() + 60_000 }
  expect((await gateway.key.call(request)).status).toBe(400)
  expect((await gateway.key.call(request)).json.code).toBe(40102)
})

it('a signature of a write counts once among many that come together, at two processes', async () => {
  const [write] = writes
  if (!write) throw new Error('no write is listed')
  const request = { ...valid(write), timestamp: Date.now() + 61_000 }
  const other = await gateway.another()
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, at) => send(gateway.key.request(request), at % 2 ? other : gateway.app)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
})

it('a signature of a write can be repeated when it is a read', async () => {
  const request = {
    path: '/api/v1/contract/info',
    query: 'nftAddress=0x1111111111111111111111111111111111111111',
    timestamp: Date.now(),
  }
  expect((await gateway.key.call(request)).status).toBe(404)
  expect((await gateway.key.call(request)).status).toBe(404)
})

describe('a key', () => {
  it.each(statedOperations)('a key without its scope may not: operation $number', async (operation) => {
    const others = new Set(statedOperations.map(({ scope }) => scope))
    others.delete(operation.scope)
    const key = await gateway.newKey({ scopes: [...others] })
    const before = await rowCounts(gateway)
    const answer = await key.call(valid(operation))
    expect(answer.status).toBe(403)
    expect(answer.json).toEqual({ ...refused(403), msg: expect.stringContaining(operation.scope) })
    expect(await rowCounts(gateway)).toEqual(before)
  })

  it.each(statedOperations)(
    'a key with only the required scope can call operation $number',
    async (operation) => {
      const key = await gateway.newKey({ scopes: [operation.scope] })
      expect((await key.call(valid(operation))).status).not.toBe(403)
    },
  )

  const read = {
    path: '/api/v1/contract/info',
    query: 'nftAddress=0x1111111111111111111111111111111111111111',
  }
  const SOON = 1500

  it('a key gets 401 within a second after it is revoked, even if it was just used', async () => {
    const key = await gateway.newKey()
    expect((await key.call(read)).status).toBe(404)
    await revokeKey(gateway.owner.system, key.apiKey)
    gateway.clock.ahead += SOON
    const answer = await key.call(read)
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual(refused(401))
  })

  it('a key has two live secrets while one replaces the other, then only the new one', async () => {
    const { owner, sealer } = gateway
    const key = await gateway.newKey()
    const fresh = await rotateKey(owner.system, sealer, key.apiKey, 1)
    gateway.clock.ahead += SOON
    expect((await key.call(read)).status).toBe(404)
    expect((await key.call({ ...read, secret: fresh })).status).toBe(404)
    const newest = await rotateKey(owner.system, sealer, key.apiKey, 0)
    gateway.clock.ahead += SOON
    expect((await key.call(read)).status).toBe(401)
    expect((await key.call({ ...read, secret: fresh })).status).toBe(401)
    expect((await key.call({ ...read, secret: newest })).status).toBe(404)
  })

  it('a key that exceeds its rate limit gets 429 with Retry-After', async () => {
    const app = await gateway.another({ rateLimit: { perSecond: 1, burst: 3 } })
    const hasty = rawClient((request) => app.fetch(request), await gateway.newKey(), {
      publicUrl: 'http://gateway.test',
      now: () => Date.now() + gateway.clock.ahead,
    })
    const statuses = []
    for (let call = 0; call < 4; call++) statuses.push((await hasty.call(read)).status)
    expect(statuses).toEqual([404, 404, 404, 429])
    const answer = await hasty.call(read)
    expect(answer.json).toEqual(refused(429))
    expect(answer.headers.get('retry-after')).toBe('1')
    gateway.clock.ahead += 1000
    expect((await hasty.call(read)).status).toBe(404)
  })
})

describe('the rate limit of a key', () => {
  const path = '/api/v1/contract/extension'

  /** A client of a gateway that accepts a burst and then, within a test, nothing more. */
  async function createLimited(key: TestKey, burst: number) {
    const app = await gateway.another({ rateLimit: { perSecond: 0.001, burst } })
    return rawClient((request) => app.fetch(request), key, {
      publicUrl: 'http://gateway.test',
      now: () => Date.now() + gateway.clock.ahead,
    })
  }

  it('the rate limit of a key counts a call once more for every 2 KiB of its body', async () => {
    const client = await createLimited(await gateway.newKey(), 10)
    const nftAddress = `0x${'1'.repeat(40)}`
    const write = { path, body: { nftAddress, extension: { text: 'x'.repeat(8 * 2048) } } }
    expect((await client.call(write)).status).toBe(404)
    const second = await client.call(write)
    expect(second.status).toBe(429)
    // It needs nine tokens, and one is left.
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(7900)
    const read = { path, query: `nftAddress=${nftAddress}` }
    expect((await client.call(read)).status).toBe(404)
    expect((await client.call(read)).status).toBe(429)
  })

  it('the rate limit of a key counts a call once more for every 16 KiB of its response, and the next ones in advance', async () => {
    const key = await gateway.newKey({ project: 'large' })
    const nftAddress = `0x${'2'.repeat(40)}`
    const contract = { nftAddress, name: 'Large', nftType: 'ERC721', chainId: '84532' }
    expect((await key.call({ path: '/api/v1/contract/add', body: contract })).status).toBe(200)
    const extension = { text: 'x'.repeat(60_000) }
    expect((await key.call({ path, body: { nftAddress, extension } })).status).toBe(200)
    // Each costs one token, and three for its response.
    const client = await createLimited(key, 44)
    const read = { path, query: `nftAddress=${nftAddress}` }
    expect((await client.call(read)).status).toBe(200)
    const responses = await Promise.all(Array.from({ length: 40 }, () => client.call(read)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10)
  })
})

it('signs the path that callers see where a proxy strips a prefix', async () => {
  const publicUrl = 'https://example.com/gateway/'
  const app = await gateway.another({ publicUrl })
  const client = rawClient((request) => app.fetch(request), gateway.key, {
    publicUrl,
    now: () => Date.now() + gateway.clock.ahead,
  })
  const read = {
    path: '/api/v1/contract/info',
    query: 'nftAddress=0x1111111111111111111111111111111111111111',
  }
  expect((await client.call(read)).status).toBe(404)
  expect((await send(gateway.key.request(read), app)).status).toBe(401)
})

it('binds a connection to the project and the actor once for all writes of a key', async () => {
  const key = await gateway.newKey({ project: 'writes' })
  const add = async (address: string) => {
    const { status } = await key.call({ path: '/api/v1/wallet/walletInfo', body: { address } })
    expect(status).toBe(200)
  }
  await add('0x00000000000000000000000000000000000000a1')
  const statements = await captureStatements(() => add('0x00000000000000000000000000000000000000a2'))
  expect(statements.filter(({ text }) => text.includes('mintmark.project'))).toEqual([])
})
