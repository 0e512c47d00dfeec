import { setTimeout as pause } from 'node:timers/promises'
import { createDatabaseCheck, createServerCheck } from '@mintmark/server-kit/doctor'
import { beforeEach, describe, expect, it } from 'vitest'
import { administer } from './administer.ts'
import type { Load } from './failover-load.ts'
import { checkBooks, startMintmark, stopAfterTest, waitForProgress } from './mintmark-under-load.ts'
import { startMovingProxy } from './moving-proxy.ts'
import { findPostgresPrograms, type PostgresServer, startPostgresServer } from './postgres-server.ts'

/** The embedded PostgreSQL cannot copy a server, so that a machine without another one cannot run these tests. */
const programs = findPostgresPrograms() ?? ''

async function startServer(standbyOf?: PostgresServer): Promise<PostgresServer> {
  const server = await startPostgresServer(programs, standbyOf && { standbyOf })
  stopAfterTest(() => server.stop())
  return server
}

/** Starts a primary, and a standby that has every commit before it is confirmed. */
async function startPair(): Promise<[primary: PostgresServer, standby: PostgresServer]> {
  const primary = await startServer()
  const standby = await startServer(primary)
  await administer(
    primary,
    'create database mintmark',
    `alter system set synchronous_standby_names = 'standby'`,
    `alter system set synchronous_commit = 'remote_apply'`,
    'select pg_reload_conf()',
  )
  return [primary, standby]
}

const promote = (standby: PostgresServer) => administer(standby, 'select pg_promote()')

/** Waits for the first event after a failover, and prints how long it took. */
async function measureFeed(name: string, load: Load, reachableAt: number): Promise<void> {
  const before = load.streamed.sequences.length
  while (load.streamed.sequences.length === before) await pause(5)
  const milliseconds = Math.round(performance.now() - reachableAt)
  console.log(`${name}: the feed moved ${milliseconds} ms after the new primary was reachable`)
}

describe('both servers, under load and with an installed PostgreSQL,', () => {
  beforeEach(({ skip }) => skip(programs === '', 'This machine has no installed PostgreSQL 15 or later'))

  it('lose nothing when PostgreSQL is killed and starts again', async () => {
    const primary = await startServer()
    await administer(primary, 'create database mintmark')
    const mintmark = await startMintmark(primary.getUrl('postgres', 'mintmark'))
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
    const mintmark = await startMintmark(url)
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
    stopAfterTest(() => proxy.close())
    const mintmark = await startMintmark(`postgres://postgres@127.0.0.1:${proxy.port}/mintmark`)
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
