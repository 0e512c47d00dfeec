import { type SessionPoolOptions, startSessionPool } from '@mintmark/devkit/postgres/session-pool'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ConfigurationError, readEnvironment } from '../environment.ts'
import { openStorage } from '../process/storage.ts'
import { hasSharedSessions } from './shared-sessions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function startPool(options: Omit<SessionPoolOptions, 'url'>): Promise<string> {
  const pool = await startSessionPool({ url: database.url, ...options })
  onTestFinished(() => pool.close())
  return pool.url
}

it('hasSharedSessions finds no shared sessions without a pool', async () => {
  expect(await hasSharedSessions(database.url)).toBe(false)
})

it('hasSharedSessions finds no shared sessions in a pool in session mode, whatever its size', async () => {
  expect(await hasSharedSessions(await startPool({ mode: 'session', size: 2 }))).toBe(false)
  expect(await hasSharedSessions(await startPool({ mode: 'session', size: 20 }))).toBe(false)
})

it.each([1, 2, 20])(
  'hasSharedSessions finds shared sessions in a pool of %i in transaction mode',
  async (size) => {
    expect(await hasSharedSessions(await startPool({ mode: 'transaction', size }))).toBe(true)
  },
)

it.each([2, 3, 4, 5])(
  'hasSharedSessions finds shared sessions in a pool that uses %i sessions in turn',
  async (size) => {
    const url = await startPool({ mode: 'transaction', size, order: 'oldest' })
    // Others have used the pool, so that all of its sessions are free.
    const others = await Promise.all(Array.from({ length: size }, () => hold(url)))
    for (const other of others) await other.query('commit')
    expect(await hasSharedSessions(url)).toBe(true)
    for (const other of others) await other.end()
  },
)

const plan = { schema: 'shop', role: 'shop_server', migrations: [] }
const settings = { SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` }

it('openStorage refuses a pool in transaction mode before it changes anything, and says what to do', async () => {
  const env = readEnvironment({
    ...settings,
    DATABASE_URL: await startPool({ mode: 'transaction', size: 3 }),
  })
  const opening = openStorage(env, plan, { migrate: true })
  await expect(opening).rejects.toThrow(ConfigurationError)
  await expect(opening).rejects.toThrow(/transaction mode, where a call could read rows of another project/)
  await expect(opening).rejects.toThrow(/pool_mode = session/)
  const client = await connect(database.url)
  expect((await client.query(`select from pg_namespace where nspname = 'shop'`)).rowCount).toBe(0)
  await client.end()
})

it('openStorage accepts a pool in session mode', async () => {
  const env = readEnvironment({ ...settings, DATABASE_URL: await startPool({ mode: 'session', size: 3 }) })
  await openStorage(env, plan, { migrate: true })
})

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Opens a connection whose transaction keeps a session. */
async function hold(url: string): Promise<pg.Client> {
  const client = await connect(url)
  await client.query('begin')
  return client
}
