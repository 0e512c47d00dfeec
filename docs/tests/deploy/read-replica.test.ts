import { promoCodeCards } from '@mintmark/cards'
import { startFreezingProxy } from '@mintmark/devkit/postgres/freezing-proxy'
import { createKey, openGatewayDatabase, startGateway } from '@mintmark/gateway-server'
import type { GatewayClient } from '@mintmark/operation'
import { createLog, createSealer, createSecretKey, readEnvironment } from '@mintmark/server-kit'
import { createReplicaCheck } from '@mintmark/server-kit/doctor'
import { createGateway } from '@mintmark/transport'
import { beforeEach, describe, expect, it } from 'vitest'
import { administer } from './administer.ts'
import { CARD } from './failover-load.ts'
import { stopAfterTest } from './mintmark-under-load.ts'
import { findPostgresPrograms, type PostgresServer, startPostgresServer } from './postgres-server.ts'

const programs = findPostgresPrograms() ?? ''
const SECRET_KEY = createSecretKey()

async function startServer(standbyOf?: PostgresServer): Promise<PostgresServer> {
  const server = await startPostgresServer(programs, standbyOf && { standbyOf })
  stopAfterTest(() => server.stop())
  return server
}

async function startPair() {
  const primary = await startServer()
  await administer(primary, 'create database mintmark')
  return { primary, standby: await startServer(primary) }
}

const getUrl = (server: PostgresServer) => server.getUrl('postgres', 'mintmark')

/** Starts a gateway that reads from a replica, and creates clients of two keys. */
async function startReader(primary: PostgresServer, replicaUrl: string) {
  const environment = {
    DATABASE_URL: getUrl(primary),
    READ_DATABASE_URL: replicaUrl,
    SECRET_KEYS: SECRET_KEY,
    AUTO_MIGRATE: 'true',
    GATEWAY_PORT: '0',
    // A read on a connection that was dropped takes as long.
    DATABASE_STATEMENT_TIMEOUT_MS: '5000',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
  }
  const gateway = await startGateway(readEnvironment(environment), createLog('test', 'silent'))
  stopAfterTest(() => gateway.close())
  const owner = openGatewayDatabase({ url: getUrl(primary), max: 1 })
  stopAfterTest(() => owner.close())
  const connect = async (name: string) => {
    const key = { project: 'shop', name, scopes: ['*'] }
    const credentials = await createKey(owner.system, createSealer(SECRET_KEY), key)
    return createGateway({ baseUrl: gateway.url, credentials, retries: 0 })
  }
  return { writer: await connect('writer'), reader: await connect('reader') }
}

const create = async (gateway: GatewayClient) => (await promoCodeCards.create(gateway, CARD)).id
const listIds = async (gateway: GatewayClient) => {
  const { list } = await promoCodeCards.list(gateway, { pageSize: 100 })
  return list.map(({ id }) => id)
}
const diagnose = async (primary: PostgresServer, replicaUrl: string) =>
  (await createReplicaCheck(getUrl(primary), replicaUrl).run()).map(
    ({ level, message }) => `${level}: ${message}`,
  )

/** Waits until a list is read from the standby: it lacks a new card while the standby applies nothing. */
async function waitUntilRead(
  standby: PostgresServer,
  { writer, reader }: Awaited<ReturnType<typeof startReader>>,
) {
  await expect
    .poll(async () => {
      await listIds(reader)
      await administer(standby, 'select pg_wal_replay_pause()')
      const id = await create(writer)
      const isMissing = !(await listIds(reader)).includes(id)
      expect(await listIds(writer)).toContain(id)
      await administer(standby, 'select pg_wal_replay_resume()')
      return isMissing
    })
    .toBe(true)
}

describe('lists with an installed PostgreSQL and READ_DATABASE_URL', () => {
  beforeEach(({ skip }) => skip(programs === '', 'This machine has no installed PostgreSQL 15 or later'))

  it('are read from the standby, and contain what the caller wrote even if the standby is late', async () => {
    const { primary, standby } = await startPair()
    const clients = await startReader(primary, getUrl(standby))
    await waitUntilRead(standby, clients)
    await administer(
      standby,
      `alter system set recovery_min_apply_delay = '200ms'`,
      'select pg_reload_conf()',
    )
    for (let write = 0; write < 20; write += 1) {
      const id = await create(clients.writer)
      expect(await listIds(clients.writer)).toContain(id)
    }
    expect(await diagnose(primary, getUrl(standby))).toEqual([expect.stringMatching(/^ok: /)])
  })

  it('are read from the primary while the standby is behind, and doctor reports it', async () => {
    const { primary, standby } = await startPair()
    const clients = await startReader(primary, getUrl(standby))
    await waitUntilRead(standby, clients)
    await administer(standby, 'select pg_wal_replay_pause()')
    const id = await create(clients.writer)
    await expect.poll(() => listIds(clients.reader)).toContain(id)
    expect(await diagnose(primary, getUrl(standby))).toEqual([
      expect.stringContaining('is more than 5 seconds behind'),
    ])
    await administer(standby, 'select pg_wal_replay_resume()')
    await waitUntilRead(standby, clients)
  })

  it('fail not once while the standby hangs, is killed or starts again', async () => {
    const { primary, standby } = await startPair()
    const proxy = await startFreezingProxy(getUrl(standby))
    stopAfterTest(() => proxy.close())
    const clients = await startReader(primary, proxy.url)
    let isStopping = false
    let calls = 0
    const read = async () => {
      while (!isStopping) {
        const id = await create(clients.writer)
        expect(await listIds(clients.writer)).toContain(id)
        await listIds(clients.reader)
        calls += 1
      }
    }
    const waitForCalls = async () => {
      const before = calls
      await expect.poll(() => calls - before).toBeGreaterThan(5)
    }
    const reading = read()
    await waitForCalls()
    proxy.freeze()
    await waitForCalls()
    await standby.kill()
    await waitForCalls()
    await standby.restart()
    await waitForCalls()
    isStopping = true
    await reading
    await waitUntilRead(standby, clients)
  })

  it('are read from the primary if the other server is no standby of it, and doctor reports it', async () => {
    const { primary } = await startPair()
    const other = await startServer()
    await administer(other, 'create database mintmark')
    const foreignStandby = await startServer(other)
    for (const server of [primary, other, foreignStandby]) {
      expect(await diagnose(primary, getUrl(server))).toEqual([
        'warning: READ_DATABASE_URL leads to no standby of DATABASE_URL, so nothing is read from it',
      ])
      const { writer, reader } = await startReader(primary, getUrl(server))
      const id = await create(writer)
      expect(await listIds(reader)).toContain(id)
    }
  })
})
