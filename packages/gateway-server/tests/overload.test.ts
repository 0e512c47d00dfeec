import type { ServerResponse } from 'node:http'
import { Role, session } from '@mintmark/admin'
import { type Listening, listen } from '@mintmark/server-kit'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { addPerson, type TestBrowser } from '../src/testing/console-person.ts'
import { recordAudit } from '../src/testing/event-streams.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  type TestKey,
  testGateway,
} from '../src/testing/gateway.ts'
import { type RawClient, type RawResponse, rawClient } from '../src/testing/raw-client.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const walletInfo = { path: '/api/v1/wallet/walletInfo', query: `address=${WALLET}` }

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await testGateway(options)
  closers.push(() => gateway.close())
  return gateway
}

/** Keeps every reader and writer of wallets waiting until it is released, at the latest after the test. */
async function lockWallets(gateway: TestGateway): Promise<() => Promise<void>> {
  const client = await gateway.owner.pool.connect()
  let isLocked = true
  const release = async () => {
    if (!isLocked) return
    isLocked = false
    await client.query('rollback')
    client.release()
  }
  closers.push(release)
  await client.query('begin')
  await client.query('lock table gateway.wallet_info in access exclusive mode')
  return release
}

/** Statements that wait for a lock. */
async function countWaiting(gateway: TestGateway): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(gateway.owner.system)
  return rows[0]?.count
}

describe('a project with many concurrent calls', () => {
  let gateway: TestGateway
  let server: Listening
  beforeAll(async () => {
    gateway = await testGateway({ pool: { max: 4 }, concurrentCalls: 2 })
    server = await listen(gateway.app, { port: 0 })
  })
  afterAll(async () => {
    await server.close()
    await gateway.close()
  })
  const overHttp = (key: TestKey): RawClient =>
    rawClient((request) => fetch(request), key, { publicUrl: server.url })

  /** A product with as many NFTs as its page shows, each as large as it can be. */
  async function addLargeProduct({ projectId }: TestKey): Promise<string> {
    const db = gateway.owner.system
    await sql`insert into gateway.contracts (project_id, chain_id, nft_address, name, nft_type)
      values (${projectId}, '84532', ${WALLET}, 'Lamps', 'ERC721')`.execute(db)
    await sql`insert into gateway.mintable_nfts
      (project_id, program, nft_address, name, owner, description, img_url, media_file_url, token_uri, properties)
      select ${projectId}, 'product', ${WALLET}, repeat('n', 200), ${WALLET}, repeat('d', 4000), repeat('u', 2048), repeat('m', 2048),
        repeat('t', 2048), jsonb_build_array(jsonb_build_object('trait_type', 'size', 'value', repeat('v', 32000)))
      from generate_series(1, 100)`.execute(db)
    return WALLET
  }

  it('a project with many concurrent calls gets 200 or 429 in 30 loops of its most expensive call, while no call of another project fails', async () => {
    const noisyKey = await gateway.newKey({ project: 'noisy' })
    const nftAddress = await addLargeProduct(noisyKey)
    const noisy = overHttp(noisyKey)
    const product = { path: '/api/v1/market/productCard/product', query: `nftAddress=${nftAddress}` }
    const statuses: number[] = []
    const loops = Array.from({ length: 30 }, async () => {
      for (let call = 0; call < 10; call++) statuses.push((await noisy.call(product)).status)
    })
    const idle = overHttp(await gateway.newKey({ project: 'idle' }))
    const others: number[] = []
    for (let call = 0; call < 50; call++) others.push((await idle.call(walletInfo)).status)
    await Promise.all(loops)
    // The wallet has no info.
    expect(others).toEqual(Array(50).fill(404))
    expect(statuses).toHaveLength(300)
    expect([...new Set(statuses)].sort()).toEqual([200, 429])
  })
})

describe('the limit of concurrent calls', () => {
  it('the limit of concurrent calls holds for reads that share one connection, and frees a place when a call ends', async () => {
    const gateway = await start({ concurrentCalls: 2 })
    // The key is known, so that all calls come to the limit in one turn.
    expect((await gateway.key.call(walletInfo)).status).toBe(404)
    const release = await lockWallets(gateway)
    const responses: RawResponse[] = []
    let noteThird = () => {}
    const third = new Promise<void>((resolve) => {
      noteThird = resolve
    })
    const calls = Array.from({ length: 5 }, async () => {
      responses.push(await gateway.key.call(walletInfo))
      if (responses.length === 3) noteThird()
    })
    await third
    expect(responses.map(({ status }) => status)).toEqual([429, 429, 429])
    expect(responses[0]?.headers.get('retry-after')).toBe('1')
    expect(responses[0]?.json).toMatchObject({ code: 429, success: false })
    await release()
    await Promise.all(calls)
    expect(responses.map(({ status }) => status)).toEqual([429, 429, 429, 404, 404])
    expect((await gateway.key.call(walletInfo)).status).toBe(404)
  })

  it('the limit of concurrent calls counts the calls of all people of a project together with its signed calls', async () => {
    // Calls that wrongly have a place end by the timeout.
    const gateway = await start({ concurrentCalls: 2, pool: { statementTimeoutMs: 30_000 } })
    const project = gateway.key.projectId
    const browsers: TestBrowser[] = []
    for (const email of ['one@example.com', 'two@example.com', 'three@example.com'])
      browsers.push(await addPerson(gateway, { email, role: Role.OWNER, project }))
    const headers = { 'x-mintmark-session': String(project) }
    const read = async (browser: TestBrowser) =>
      (await browser.fetch(`${walletInfo.path}?${walletInfo.query}`, { headers })).status
    const release = await lockWallets(gateway)
    const statuses: number[] = []
    let noteThird = () => {}
    const third = new Promise<void>((resolve) => {
      noteThird = resolve
    })
    const calls = [
      ...browsers.map(read),
      ...[0, 1].map(async () => (await gateway.key.call(walletInfo)).status),
    ].map(async (call) => {
      statuses.push(await call)
      if (statuses.length === 3) noteThird()
    })
    await third
    // A person's calls for no project have places of their own.
    for (const browser of browsers) expect((await session.get(browser.client())).projects).toHaveLength(1)
    await release()
    await Promise.all(calls)
    expect(statuses).toEqual([429, 429, 429, 404, 404])
    expect((await gateway.key.call(walletInfo)).status).toBe(404)
  })
})

describe('a caller who goes away', () => {
  it('a caller who goes away frees the place of its call when the call ends', async () => {
    const gateway = await start({ concurrentCalls: 1 })
    const server = await listen(gateway.app, { port: 0 })
    closers.push(() => server.close(0))
    const gone = new AbortController()
    const send = (request: Request) => fetch(request, { signal: gone.signal })
    const caller = rawClient(send, gateway.key, { publicUrl: server.url })
    expect((await caller.call(walletInfo)).status).toBe(404)
    const release = await lockWallets(gateway)
    const aborted = caller.call(walletInfo)
    await vi.waitFor(async () => expect(await countWaiting(gateway)).toBe(1), { timeout: 170_000 })
    expect((await gateway.key.call(walletInfo)).status).toBe(429)
    gone.abort()
    await expect(aborted).rejects.toThrow()
    await release()
    const isFree = async () => expect((await gateway.key.call(walletInfo)).status).toBe(404)
    await vi.waitFor(isFree, { timeout: 170_000 })
  })
})

describe('a verification of an audit log', () => {
  const verify = { path: '/admin/v1/audit/verify' }

  it('a verification of an audit log runs once at a time for a project, and stops when its caller has gone', async () => {
    const gateway = await start({})
    let noteClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      noteClosed = resolve
    })
    const app = new Hono()
    app.all('*', ({ req, env }) => {
      const { outgoing } = env as { outgoing: ServerResponse }
      outgoing.once('close', noteClosed)
      return gateway.app.fetch(req.raw, env)
    })
    const server = await listen(app, { port: 0 })
    closers.push(() => server.close(0))
    const key = await gateway.newKey({ scopes: ['audit:read'] })
    const other = await gateway.newKey({ project: 'other', scopes: ['audit:read'] })
    await recordAudit(gateway)
    const gone = new AbortController()
    const send = (request: Request) => fetch(request, { signal: gone.signal })
    const caller = rawClient(send, key, { publicUrl: server.url })
    const client = await gateway.owner.pool.connect()
    await client.query('begin; lock table gateway.audit_entries in access exclusive mode')
    const aborted = caller.call(verify)
    await vi.waitFor(async () => expect(await countWaiting(gateway)).toBe(1), { timeout: 170_000 })
    const refused = await key.call(verify)
    expect(refused.status).toBe(429)
    expect(refused.json.msg).toBe('This audit log is being verified. Retry later')
    gone.abort()
    await expect(aborted).rejects.toThrow()
    await closed
    await client.query('rollback')
    client.release()
    const isFree = async () => expect((await key.call(verify)).status).toBe(200)
    await vi.waitFor(isFree, { timeout: 170_000 })
    expect((await other.call(verify)).status).toBe(200)
    const verifications = gateway.logged
      .map((line) => JSON.parse(line))
      .filter(({ operation, msg }) => operation === 'audit.verify' && msg === 'call')
      .map(({ status }) => status)
    expect(verifications.filter((status) => status === 499)).toHaveLength(1)
  })
})

describe('a call that the database has no time for', () => {
  const unavailable = { code: 503, data: {}, msg: expect.stringContaining('Retry later'), success: false }

  it.each([
    ['a read', walletInfo],
    ['a write', { path: '/api/v1/wallet/walletInfo', body: { address: WALLET, name: 'Ada' } }],
  ])(
    'a call that the database has no time for is 503 with Retry-After when a statement exceeds its timeout: %s',
    async (_, request) => {
      const gateway = await start({ pool: { statementTimeoutMs: 1000 } })
      const release = await lockWallets(gateway)
      const response = await gateway.key.call(request)
      expect(response.status).toBe(503)
      expect(response.json).toEqual(unavailable)
      expect(response.headers.get('retry-after')).toBe('1')
      await release()
      expect((await gateway.key.call(walletInfo)).status).toBe(404)
      expect(gateway.logged.filter((line) => JSON.parse(line).level >= 50 || line.includes('stack'))).toEqual(
        [],
      )
      expect(gateway.logged.filter((line) => line.includes('"overloaded"'))).toHaveLength(1)
    },
  )

  it('a call that the database has no time for is 503 with Retry-After when no connection becomes free', async () => {
    const gateway = await start({ pool: { max: 1, connectTimeoutMs: 1000 } })
    // On a busy machine, opening the first connection may take longer than the timeout.
    const isServed = async () => expect((await gateway.key.call(walletInfo)).status).toBe(404)
    await vi.waitFor(isServed, { timeout: 170_000 })
    const only = await gateway.database.pool.connect()
    const response = await gateway.key.call({
      path: '/api/v1/wallet/walletInfo',
      body: { address: WALLET, name: 'Ada' },
    })
    expect(response.status).toBe(503)
    expect(response.json).toEqual(unavailable)
    only.release()
    await vi.waitFor(isServed, { timeout: 170_000 })
  })
})
