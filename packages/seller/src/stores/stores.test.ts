// Every store passes the same tests. Redis is skipped where `redis-server` is not installed.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { Pool } from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { PurchaseStore, StoredPurchase } from '../store.ts'
import { openRedis } from '../testing/redis.ts'
import { createMemoryStore } from './memory-store.ts'
import { createPostgresStore } from './postgres-store.ts'
import { createRedisStore } from './redis-store.ts'

/** Waits for a condition as long as a busy machine may need. */
const waitUntil = <T>(condition: () => T | Promise<T>) => vi.waitUntil(condition, { timeout: 60_000 })

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())

const redisServer = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find((file) => existsSync(file))

/** Opens two handles of one store, as two processes of a seller have them. */
const STORES: Readonly<Record<string, () => Promise<readonly [PurchaseStore, PurchaseStore]>>> = {
  async memory() {
    const store = createMemoryStore()
    return [store, store]
  },
  async PostgreSQL() {
    const database = await createTestDatabase({ name: 'purchases', prepare: async () => {} })
    const open = () => {
      const pool = new Pool({ connectionString: database.url })
      // The end of a pool does not wait until its sessions are gone, and dropping the database ends them.
      pool.on('error', () => {})
      stops.defer(() => pool.end())
      return createPostgresStore(pool)
    }
    stops.defer(() => database.drop())
    const stores = [open(), open()] as const
    await Promise.all(stores.map((store) => store.createTable().catch(() => store.createTable())))
    return stores
  },
  async Redis() {
    const folder = await mkdtemp(join(tmpdir(), 'redis-'))
    const path = join(folder, 'socket')
    const server = spawn(String(redisServer), [
      '--port',
      '0',
      '--unixsocket',
      path,
      '--dir',
      folder,
      '--save',
      '',
    ])
    stops.defer(async () => {
      server.kill()
      await rm(folder, { recursive: true, force: true })
    })
    const open = async () => {
      const redis = await vi.waitFor(() => openRedis(path), { timeout: 20_000 })
      stops.defer(() => redis.close())
      return createRedisStore(redis.send)
    }
    return [await open(), await open()]
  },
}

const createName = () => randomBytes(16).toString('hex')
const createEntry = (fields: Partial<StoredPurchase> = {}): StoredPurchase => ({
  payment: createName(),
  key: createName(),
  token: createName(),
  purchase: {
    state: 'working',
    request: 'a request',
    isNamed: false,
    payer: '0x01',
    payload: {} as never,
    requirements: {} as never,
  },
  ...fields,
})
const MINUTE_MS = 60_000

describe.each(Object.keys(STORES))('the store in %s', (name) => {
  const test = it.skipIf(name === 'Redis' && redisServer === undefined)
  let opened: Promise<readonly [PurchaseStore, PurchaseStore]> | undefined
  const open = () => {
    opened ??= STORES[name]?.()
    if (opened === undefined) throw new Error(`There is no store ${name}`)
    return opened
  }

  test('stores a purchase once by its payment, and once by its key', async () => {
    const [store, other] = await open()
    const entry = createEntry()
    expect(await store.claim(entry, MINUTE_MS)).toBeUndefined()
    expect(await other.claim(createEntry({ payment: entry.payment }), MINUTE_MS)).toEqual(entry)
    expect(await other.claim(createEntry({ key: entry.key }), MINUTE_MS)).toEqual(entry)
    expect(await other.find({ payment: entry.payment })).toEqual(entry)
    expect(await other.find({ key: String(entry.key) })).toEqual(entry)
    expect(await store.find({ payment: createName() })).toBeUndefined()
    expect(await store.find({ key: createName() })).toBeUndefined()
  })

  test('lets one of many claims at once win', async () => {
    const stores = await open()
    const key = createName()
    const claims = Array.from({ length: 40 }, (_, index) =>
      stores[index % 2 === 0 ? 0 : 1].claim(createEntry({ key }), MINUTE_MS),
    )
    const won = (await Promise.all(claims)).filter((existing) => existing === undefined)
    expect(won).toHaveLength(1)
  })

  test('replaces and removes a purchase only for the attempt with its token', async () => {
    const [store, other] = await open()
    const entry = createEntry()
    await store.claim(entry, MINUTE_MS)
    const next = { ...entry, token: createName() }
    expect(await other.replace('another token', next, MINUTE_MS)).toBe(false)
    expect(await store.remove(entry.payment, 'another token')).toBe(false)
    const replaced = await Promise.all(
      [store, other].flatMap((handle) => [1, 2, 3].map(() => handle.replace(entry.token, next, MINUTE_MS))),
    )
    expect(replaced.filter(Boolean)).toHaveLength(1)
    expect(await store.find({ key: String(entry.key) })).toEqual(next)
    expect(await store.remove(entry.payment, entry.token)).toBe(false)
    expect(await other.remove(entry.payment, next.token)).toBe(true)
    expect(await store.claim(entry, MINUTE_MS)).toBeUndefined()
  })

  test('frees the key of a purchase that drops it, and remembers its payment', async () => {
    const [store] = await open()
    const entry = createEntry()
    await store.claim(entry, MINUTE_MS)
    const { key: _, ...rest } = entry
    expect(await store.replace(entry.token, { ...rest, key: undefined }, MINUTE_MS)).toBe(true)
    const next = createEntry({ key: entry.key })
    expect(await store.claim(next, MINUTE_MS)).toBeUndefined()
    expect(await store.find({ key: String(entry.key) })).toEqual(next)
    expect((await store.find({ payment: entry.payment }))?.payment).toBe(entry.payment)
    expect(await store.remove(entry.payment, entry.token)).toBe(true)
    expect(await store.find({ key: String(entry.key) })).toEqual(next)
  })

  test('forgets a purchase when its time is over', async () => {
    const [store] = await open()
    const entry = createEntry()
    await store.claim(entry, 50)
    await waitUntil(async () => (await store.find({ payment: entry.payment })) === undefined)
    expect(await store.find({ key: String(entry.key) })).toBeUndefined()
    expect(await store.replace(entry.token, entry, MINUTE_MS)).toBe(false)
    expect(await store.remove(entry.payment, entry.token)).toBe(false)
    expect(await store.claim(createEntry({ key: entry.key }), MINUTE_MS)).toBeUndefined()
    expect(await store.claim(createEntry({ payment: entry.payment }), MINUTE_MS)).toBeUndefined()
  })

  test('keeps a response as it is', async () => {
    const [store] = await open()
    const entry = createEntry()
    const body = randomBytes(300_000).toString('base64')
    const headers = { 'x-title': 'Größe \u{1F4D6} "quoted"\\' }
    const purchase = { ...entry.purchase, response: { status: 200, headers, body } }
    await store.claim({ ...entry, purchase }, MINUTE_MS)
    expect(await store.find({ payment: entry.payment })).toEqual({ ...entry, purchase })
  })
})
