import { startFreezingProxy } from '@mintmark/devkit/postgres/freezing-proxy'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { toHttpError } from '../http/http-error.ts'
import { type Database, openDatabase } from './database.ts'
import { ProjectPool } from './project-pool.ts'
import { NO_PROJECT } from './statement-names.ts'
import { transaction } from './transaction.ts'

let home: TestDatabase
let owner: Database<unknown>
beforeAll(async () => {
  home = await createTestDatabase()
  owner = openDatabase({ url: home.url, max: 1 })
})
afterAll(async () => {
  await owner.close()
  await home.drop()
})

function open(options: { maxLifetimeMs?: number } = {}): Database<unknown> {
  const database = openDatabase<unknown>({ url: home.url, max: 1, ...options })
  onTestFinished(() => database.close())
  return database
}

const PID = sql<{ pid: number }>`select pg_backend_pid() as pid`
const readPid = async (database: Database<unknown>) => (await PID.execute(database.system)).rows[0]?.pid

/** Makes new sessions of the database read-only, as those of a standby are. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  await sql`do $$ begin
    execute format('alter database %I set default_transaction_read_only = ${sql.raw(value)}', current_database());
  end $$`.execute(owner.system)
}

const states = ['25006', '57P01', '57P02', '57P03', '08006', '08P01']
const raise = (state: string) => `do $$ begin raise exception 'refused' using errcode = '${state}'; end $$`

it.each(states)(
  'a connection whose server refuses to write or ends it is not used again after a transaction was rolled back with %s',
  async (state) => {
    const database = open()
    const before = await readPid(database)
    const failed = transaction(database.system, (trx) => sql.raw(raise(state)).execute(trx))
    await expect(failed).rejects.toMatchObject({ code: state })
    expect(await readPid(database)).not.toBe(before)
  },
)

it('a connection whose server refuses to write or ends it is not used again after its borrower handled the error and released it as usable', async () => {
  const database = open()
  const before = await readPid(database)
  const client = await database.pool.connect()
  await expect(client.query(raise('25006'))).rejects.toThrow('refused')
  client.release()
  expect(await readPid(database)).not.toBe(before)
})

it('a connection whose server refuses to write or ends it stays in use after an error of the statement itself', async () => {
  const database = open()
  const before = await readPid(database)
  await expect(sql`select 1 / 0`.execute(database.system)).rejects.toThrow('division by zero')
  expect(await readPid(database)).toBe(before)
})

const BECOME_READ_ONLY = `select pg_backend_pid() as pid, set_config('default_transaction_read_only', 'on', false)`

it('a server that becomes read-only is read from no longer than one statement by a connection that only reads', async () => {
  const database = open()
  const { rows } = await database.pool.query<{ pid: number }>(BECOME_READ_ONLY)
  expect(await readPid(database)).not.toBe(rows[0]?.pid)
})

it('a server that becomes read-only is left by the connection of short reads', async () => {
  const pool = new ProjectPool({ url: home.url, max: 1 })
  onTestFinished(() => pool.endAll())
  const read = async (text: string): Promise<unknown> => (await pool.read(NO_PROJECT, text, [])).rows[0].pid
  const before = await read(BECOME_READ_ONLY)
  const after = await read('select pg_backend_pid() as pid')
  expect(after).not.toBe(before)
  expect(await read('select pg_backend_pid() as pid')).toBe(after)
})

it('a server that becomes read-only serves neither statements, transactions nor short reads of new connections, until it accepts writes', async () => {
  await setReadOnly('on')
  try {
    const database = open()
    const message = 'The database is read-only'
    await expect(readPid(database)).rejects.toThrow(message)
    await expect(transaction(database.system, (trx) => PID.execute(trx))).rejects.toThrow(message)
    await expect(database.pool.query('select 1')).rejects.toThrow(message)
    const pool = new ProjectPool({ url: home.url, max: 1 })
    onTestFinished(() => pool.endAll())
    await expect(pool.read(NO_PROJECT, 'select 1', [])).rejects.toThrow(message)
    await setReadOnly('off')
    expect(await readPid(database)).toBeTypeOf('number')
    expect((await pool.read(NO_PROJECT, 'select 1 as one', [])).rows).toEqual([{ one: 1 }])
  } finally {
    await setReadOnly('off')
  }
})

it('the lifetime of a connection ends also while it is in use without a pause', async () => {
  const database = open({ maxLifetimeMs: 50 })
  const before = await readPid(database)
  await expect.poll(() => readPid(database), { interval: 5 }).not.toBe(before)
})

it('the lifetime of a connection ends for the connection of short reads, which fails no read', async () => {
  const pool = new ProjectPool({ url: home.url, max: 1, maxLifetimeMs: 50 })
  onTestFinished(() => pool.endAll())
  const read = async () => (await pool.read(NO_PROJECT, 'select pg_backend_pid() as pid', [])).rows[0].pid
  const before = await read()
  await expect.poll(async () => (await Promise.all([read(), read()]))[0], { interval: 5 }).not.toBe(before)
})

const unavailable = { status: 503, retryAfter: 1 }
const getResponse = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return toHttpError(error)
}
const NOWHERE = 'postgresql://user@127.0.0.1:1/none'

it('a statement that was not sent because no server listens is 503 with Retry-After', async () => {
  const nowhere = openDatabase<unknown>({ url: NOWHERE, max: 1 })
  onTestFinished(() => nowhere.close())
  expect(await getResponse(readPid(nowhere))).toMatchObject(unavailable)
  expect(await getResponse(transaction(nowhere.system, (trx) => PID.execute(trx)))).toMatchObject(unavailable)
  expect(await getResponse(nowhere.pool.query('select 1'))).toMatchObject(unavailable)
  const pool = new ProjectPool({ url: NOWHERE, max: 1 })
  onTestFinished(() => pool.endAll())
  expect(await getResponse(pool.read(NO_PROJECT, 'select 1', []))).toMatchObject(unavailable)
})

it('a statement that was not sent because the server refused to write is 503 with Retry-After', async () => {
  const writing = transaction(open().system, (trx) => sql`create table refused ()`.execute(trx), {
    readOnly: true,
  })
  expect(await getResponse(writing)).toMatchObject(unavailable)
})

it('a statement that was not sent because its connection had broken before is 503 with Retry-After, whether it is the first one, a later one or the commit', async () => {
  const database = open()
  const breakConnection = async (db: typeof database.system) => {
    const { rows } = await PID.execute(db)
    const client = await acquired.promise
    const broken = new Promise((resolve) => client.once('error', resolve))
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(owner.system)
    await broken
  }
  let acquired = Promise.withResolvers<pg.PoolClient>()
  database.pool.on('acquire', (client) => acquired.resolve(client))
  const first = database.system.connection().execute(async (db) => {
    await breakConnection(db)
    await PID.execute(db)
  })
  expect(await getResponse(first)).toMatchObject(unavailable)
  acquired = Promise.withResolvers()
  const begin = database.system.connection().execute(async (db) => {
    await breakConnection(db)
    await transaction(db, (trx) => PID.execute(trx))
  })
  expect(await getResponse(begin)).toMatchObject(unavailable)
  acquired = Promise.withResolvers()
  const commit = transaction(database.system, (trx) => breakConnection(trx))
  expect(await getResponse(commit)).toMatchObject(unavailable)
  expect(await readPid(database)).toBeTypeOf('number')
})

it('a connection that waits for a read-only server is ended when another one notices the server', async () => {
  const [waiting, noticing] = [open(), open()]
  const started = Promise.withResolvers<number | undefined>()
  // Like a commit, which waits for a standby that was promoted.
  const stuck = transaction(waiting.system, async (trx) => {
    started.resolve((await PID.execute(trx)).rows[0]?.pid)
    await sql`select pg_sleep(1000)`.execute(trx)
  })
  const pid = await started.promise
  await noticing.pool.query(`select set_config('default_transaction_read_only', 'on', false)`)
  await expect(stuck).rejects.toThrow('Connection terminated')
  expect(await readPid(waiting)).not.toBe(pid)
  await sql`select pg_terminate_backend(${pid})`.execute(owner.system)
})

it('a connection without a time limit is ended when another one finds that the server does not respond', async () => {
  const proxy = await startFreezingProxy(home.url)
  onTestFinished(() => proxy.close())
  const limits = { connectTimeoutMs: 200, statementTimeoutMs: 100 }
  const [jobs, calls] = [{}, limits].map((options) => {
    const database = openDatabase<unknown>({ url: proxy.url, max: 1, ...options })
    onTestFinished(() => database.close())
    return database
  })
  if (jobs === undefined || calls === undefined) throw new Error('Two databases were not opened')
  const before = await readPid(jobs)
  await readPid(calls)
  proxy.freeze()
  const stuck = PID.execute(jobs.system)
  // Only BEGIN was sent.
  const unsent: unknown = await transaction(calls.system, (trx) => PID.execute(trx)).catch((error) => error)
  expect(toHttpError(unsent)).toMatchObject({ status: 503, retryAfter: 1 })
  await expect(stuck).rejects.toThrow('Connection terminated')
  expect(await readPid(jobs)).not.toBe(before)
})
