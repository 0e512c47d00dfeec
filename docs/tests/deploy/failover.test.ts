import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFacilitator } from '@mintmark/facilitator-server'
import { createKey, openGatewayDatabase, startGateway } from '@mintmark/gateway-server'
import { createLog, createSealer, createSecretKey, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { createDatabaseCheck, createServerCheck } from '@mintmark/server-kit/doctor'
import { createGateway } from '@mintmark/transport'
import pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Tables } from '../../../packages/facilitator-server/src/database/tables.ts'
import { testAccount, testEnvironment } from '../../../packages/facilitator-server/src/testing.ts'
import { type Load, startLoad } from './failover-load.ts'
import { startMovingProxy } from './moving-proxy.ts'
import { findPostgresPrograms, type PostgresServer, startPostgresServer } from './postgres-server.ts'

/** The embedded PostgreSQL cannot copy a server, so that a machine without another one cannot run these tests. */
const programs = findPostgresPrograms() ?? ''
/** Confirmed calls before and after a failover. */
const CALLS = 10

const stop = (close: () => unknown) => onTestFinished(async () => void (await close()))

async function startServer(standbyOf?: PostgresServer): Promise<PostgresServer> {
  const server = await startPostgresServer(programs, standbyOf && { standbyOf })
  stop(() => server.stop())
  return server
}

/** Runs statements of an administrator, one by one. */
async function administer(server: PostgresServer, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.getUrl('postgres', 'postgres') })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Starts a primary, and a standby that has every commit before it is confirmed. */
async function startPair(): Promise<[primary: PostgresServer, standby: PostgresServer]> {
  const primary = await startServer()
  const standby = await startServer(primary)
  await administer(
    primary,
    `alter system set synchronous_standby_names = 'standby'`,
    `alter system set synchronous_commit = 'remote_apply'`,
    'select pg_reload_conf()',
  )
  return [primary, standby]
}

const promote = (standby: PostgresServer) => administer(standby, 'select pg_promote()')

/** Starts both servers on a database, and the load on them. */
async function startMintmark(primary: PostgresServer, databaseUrl: string) {
  await administer(primary, 'create database mintmark')
  const chain = await testChain()
  const settings = {
    ...testEnvironment({ chain, signerKeys: [devAccount(9).privateKey] }),
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: createSecretKey('k1'),
    AUTO_MIGRATE: 'true',
    GATEWAY_PORT: '0',
  }
  const environment = readEnvironment(settings)
  const silent = createLog('test', 'silent')
  const gateway = await startGateway(environment, silent)
  stop(() => gateway.close())
  const facilitator = await startFacilitator(environment, silent)
  stop(() => facilitator.close())
  const owner = openGatewayDatabase({ url: databaseUrl, max: 1 })
  stop(() => owner.close())
  const key = { project: 'shop', name: 'failover', scopes: ['*'] }
  const credentials = await createKey(owner.system, createSealer(settings.SECRET_KEYS), key)
  const accounts = openDatabase<Tables>({ url: databaseUrl, max: 1 })
  stop(() => accounts.close())
  const { token } = await testAccount(accounts.system, { settles: 1_000_000 })
  const load = await startLoad({
    gateway: createGateway({ baseUrl: gateway.url, credentials, retries: 0 }),
    facilitatorUrl: facilitator.url,
    token,
  })
  stop(() => load.close())
  return { gateway, facilitator, accounts, load }
}
type Mintmark = Awaited<ReturnType<typeof startMintmark>>

/** Waits until everything that is running has confirmed or received more. */
async function waitForProgress(load: Load): Promise<void> {
  const count = () => [
    load.cards.size,
    load.streamed.cards.size,
    load.delivered.size,
    load.settled.size * (CALLS / 2),
  ]
  const before = count()
  await expect
    .poll(() => Math.min(...count().map((now, at) => now - (before[at] ?? 0))))
    .toBeGreaterThan(CALLS)
}

/** Waits for the first event after a failover, and prints how long it took. */
async function measureFeed(name: string, load: Load, reachableAt: number): Promise<void> {
  const before = load.streamed.sequences.length
  while (load.streamed.sequences.length === before) await pause(5)
  const milliseconds = Math.round(performance.now() - reachableAt)
  console.log(`${name}: the feed moved ${milliseconds} ms after the new primary was reachable`)
}

/** Checks that nothing that was confirmed is missing, or exists twice. */
async function checkBooks({ gateway, facilitator, accounts, load }: Mintmark): Promise<void> {
  await load.stopCalls()
  const missing = (from: ReadonlySet<number>) => [...load.cards].filter((id) => !from.has(id))
  await expect.poll(() => missing(load.streamed.cards)).toEqual([])
  await expect.poll(() => missing(load.delivered)).toEqual([])
  const { sequences } = load.streamed
  expect(sequences).toEqual(sequences.map((_, at) => at + 1))
  const { rows } = await accounts.pool.query<{ nonce: string; charges: number }>(
    `select nonce, count(charge.*)::int as charges
     from facilitator.settlements settlement
     left join facilitator.charges charge on charge.settlement_id = settlement.id
     group by settlement.id`,
  )
  const charges = new Map(rows.map(({ nonce, charges }) => [nonce, charges]))
  expect([...load.settled].filter((nonce) => charges.get(nonce) !== 1)).toEqual([])
  for (const { url } of [gateway, facilitator]) expect((await fetch(`${url}/health`)).status).toBe(200)
  // Callers may repeat each of these. 500 would be a defect of the servers.
  expect([...load.failures.keys()].filter((status) => !/^(?:503|504|UnknownOutcome)$/.test(status))).toEqual(
    [],
  )
}

describe('both servers, under load and with an installed PostgreSQL,', () => {
  beforeEach(({ skip }) => skip(programs === '', 'This machine has no installed PostgreSQL 15 or later'))

  it('lose nothing when PostgreSQL is killed and starts again', async () => {
    const primary = await startServer()
    const mintmark = await startMintmark(primary, primary.getUrl('postgres', 'mintmark'))
    await waitForProgress(mintmark.load)
    await primary.kill()
    await primary.restart()
    await measureFeed('Restart', mintmark.load, performance.now())
    await waitForProgress(mintmark.load)
    await checkBooks(mintmark)
  })

  it('move to a standby that is promoted when the primary is killed, if DATABASE_URL has both hosts', async () => {
    const [primary, standby] = await startPair()
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
    const url = `postgres://postgres@${hosts}/mintmark?target_session_attrs=read-write`
    const mintmark = await startMintmark(primary, url)
    await waitForProgress(mintmark.load)
    await primary.kill()
    await promote(standby)
    await measureFeed('Promotion', mintmark.load, performance.now())
    await waitForProgress(mintmark.load)
    await checkBooks(mintmark)
  })

  it('leave a primary that stays alive and read-only when its name leads to another server', async () => {
    const [primary, standby] = await startPair()
    const proxy = await startMovingProxy(primary.port)
    stop(() => proxy.close())
    const mintmark = await startMintmark(primary, `postgres://postgres@127.0.0.1:${proxy.port}/mintmark`)
    await waitForProgress(mintmark.load)
    await administer(
      primary,
      'alter system set default_transaction_read_only = on',
      'select pg_reload_conf()',
    )
    // The servers notice it before there is another primary.
    const health = async () => (await fetch(`${mintmark.gateway.url}/health`)).json()
    await expect.poll(health).toMatchObject({ status: 'the database is read-only' })
    await promote(standby)
    proxy.move(standby.port)
    await measureFeed('A read-only primary', mintmark.load, performance.now())
    await waitForProgress(mintmark.load)
    await checkBooks(mintmark)
  })

  it('both servers, under load and with an installed PostgreSQL, are checked by doctor for standbys that are not synchronous', async () => {
    const primary = await startServer()
    const check = createServerCheck({ extensions: [], connections: 1, otherConnections: 1 })
    const diagnose = async () => {
      const outcomes = await createDatabaseCheck(primary.getUrl('postgres', 'postgres'), [check]).run()
      return outcomes.map(({ message }) => message).filter((message) => message.includes('standby'))
    }
    expect(await diagnose()).toEqual([])
    await startServer(primary)
    await expect.poll(diagnose).toEqual([expect.stringContaining('not synchronous (standby)')])
    await administer(
      primary,
      `alter system set synchronous_standby_names = 'standby'`,
      'select pg_reload_conf()',
    )
    await expect.poll(diagnose).toEqual([])
  })
})
