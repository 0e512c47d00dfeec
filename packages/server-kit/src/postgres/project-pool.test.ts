import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { startFreezingProxy } from '@mintmark/devkit/postgres/freezing-proxy'
import { startSessionPool } from '@mintmark/devkit/postgres/session-pool'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { ConnectionTimeoutError, isConnectionBroken } from './errors.ts'
import { ProjectPool } from './project-pool.ts'
import { NO_PROJECT } from './statement-names.ts'

/** Starts a server that accepts connections and never responds. Returns the URL of a database on it. */
async function startSilentServer(): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `postgres://user@127.0.0.1:${address.port}/database`
}

it('reports the timeout of a new connection like the timeout of a wait for a connection', async () => {
  const pool = new ProjectPool({ url: await startSilentServer(), max: 1, connectTimeoutMs: 50 })
  onTestFinished(() => pool.endAll())
  const attempts = [pool.connectFor(NO_PROJECT), pool.connectFor(NO_PROJECT)]
  for (const attempt of await Promise.allSettled(attempts)) {
    expect(attempt).toMatchObject({ status: 'rejected', reason: expect.any(ConnectionTimeoutError) })
  }
})

it('sees what others have committed, whatever the default isolation level of the database is', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const pool = new ProjectPool({ url: database.url, max: 1 })
  onTestFinished(() => pool.endAll())
  await pool.query(`do $$ begin
    execute format('alter database %I set default_transaction_isolation = serializable', current_database());
  end $$`)
  const later = new ProjectPool({ url: database.url, max: 1 })
  onTestFinished(() => later.endAll())
  const text = `select current_setting('transaction_isolation') as level`
  expect((await later.query(text)).rows).toEqual([{ level: 'read committed' }])
  expect((await later.read(NO_PROJECT, text, [])).rows).toEqual([{ level: 'read committed' }])
})

it('replaces a connection that no longer responds, as after a network has dropped it', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const proxy = await startFreezingProxy(database.url)
  onTestFinished(() => proxy.close())
  // Longer than a statement takes on a busy machine.
  const timeouts = { connectTimeoutMs: 3000, statementTimeoutMs: 1000 }
  const pool = new ProjectPool({ url: proxy.url, max: 1, ...timeouts })
  onTestFinished(() => pool.endAll())
  const query = async () => (await pool.query('select 1 as one')).rows
  expect(await query()).toEqual([{ one: 1 }])
  proxy.freeze()
  const error: unknown = await query().catch((reason: unknown) => reason)
  // It may have been executed.
  expect(isConnectionBroken(error)).toBe(true)
  expect(await query()).toEqual([{ one: 1 }])
})

async function startPool(size: number): Promise<string> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const pool = await startSessionPool({ url: database.url, mode: 'session', size })
  onTestFinished(() => pool.close())
  return pool.url
}

it('a database behind a pool in session mode sets its timeouts, which such a pool refuses as startup parameters', async () => {
  const timeouts = { statementTimeoutMs: 15_001, idleInTransactionTimeoutMs: 15_002, lockTimeoutMs: 15_003 }
  const pool = new ProjectPool({ url: await startPool(2), max: 1, ...timeouts })
  onTestFinished(() => pool.endAll())
  const text = `
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('enable_seqscan') as scans`
  const expected = { statement: '15001ms', idle: '15002ms', lock: '15003ms' }
  expect((await pool.query(text)).rows).toEqual([{ ...expected, scans: 'on' }])
  // Short reads have a connection of their own.
  expect((await pool.read(NO_PROJECT, text, [])).rows).toEqual([{ ...expected, scans: 'off' }])
})

it('a database behind a pool in session mode reports a pool without a free session like a wait for a connection', async () => {
  const url = await startPool(1)
  const pool = new ProjectPool({ url, max: 1, connectTimeoutMs: 200, statementTimeoutMs: 1000 })
  const other = new ProjectPool({ url, max: 1 })
  onTestFinished(() => pool.endAll())
  onTestFinished(() => other.endAll())
  const connection = await other.connectFor(NO_PROJECT)
  await expect(pool.connectFor(NO_PROJECT)).rejects.toThrow(ConnectionTimeoutError)
  connection.release()
})
