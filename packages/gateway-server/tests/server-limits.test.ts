// The limits of a running gateway are those of its settings.

import { once } from 'node:events'
import { connect } from 'node:net'
import { contracts } from '@mintmark/contracts'
import { createLog, createSealer, createSecretKey, readEnvironment } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openGatewayDatabase } from '../src/database/database.ts'
import { createKey } from '../src/keys/keys-store.ts'
import { startGateway } from '../src/main/server.ts'
import { createGatewayDatabase } from '../src/testing/gateway.ts'
import { rawClient } from '../src/testing/raw-client.ts'
import { newAddress } from '../src/testing/samples/sample.ts'

const stops = new AsyncDisposableStack()
let fixture: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  fixture = await startServer({
    DATABASE_CONNECTIONS: '6',
    DATABASE_STATEMENT_TIMEOUT_MS: '2000',
    INDEXED_CONTRACTS_PER_PROJECT: '1',
    METRICS_PORT: '0',
  })
})
afterAll(() => stops.disposeAsync())

async function startServer(settings: Record<string, string>) {
  const place = await createGatewayDatabase()
  stops.defer(() => place.drop())
  const secretKeys = createSecretKey('test')
  const lines: string[] = []
  const log = createLog('gateway', 'info', { write: (line: string) => void lines.push(line) })
  const environment = { DATABASE_URL: place.url, SECRET_KEYS: secretKeys, GATEWAY_PORT: '0', ...settings }
  const server = await startGateway(readEnvironment(environment), log)
  stops.defer(() => server.close())
  const database = openGatewayDatabase({ url: place.url, max: 1 })
  stops.defer(() => database.close())
  const key = await createKey(database.system, createSealer(secretKeys), { project: 'shop', name: 'shop' })
  return { url: server.url, databaseUrl: place.url, key, lines }
}

it('serves half of DATABASE_CONNECTIONS calls of a project at a time, each for DATABASE_STATEMENT_TIMEOUT_MS', async () => {
  const client = rawClient((request) => fetch(request), fixture.key, { publicUrl: fixture.url })
  const read = async () =>
    (await client.call({ path: '/api/v1/wallet/walletInfo', query: `address=${newAddress()}` })).status
  // The key is known, so that all calls come to the limit at once.
  expect(await read()).toBe(404)
  const owner = new pg.Client({ connectionString: fixture.databaseUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('begin')
  await owner.query('lock table gateway.wallet_info in access exclusive mode')
  const statuses = await Promise.all(Array.from({ length: 5 }, read))
  await owner.query('rollback')
  expect(statuses.sort()).toEqual([429, 429, 503, 503, 503])
  expect(await read()).toBe(404)
})

it('indexes at most INDEXED_CONTRACTS_PER_PROJECT contracts of a project', async () => {
  const gateway = createGateway({ baseUrl: fixture.url, credentials: fixture.key })
  const add = () =>
    contracts.add(gateway, {
      nftAddress: newAddress(),
      name: 'Prints',
      nftType: 'ERC721',
      chainId: '84532',
      index: true,
    })
  expect(await add()).toMatchObject({ name: 'Prints' })
  await expect(add()).rejects.toThrow('The project has 1 indexed contracts already')
})

it('serves its metrics on METRICS_PORT alone', async () => {
  expect((await fetch(`${fixture.url}/metrics`)).status).toBe(404)
  const line = fixture.lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'metrics')
  const response = await fetch(line.url)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('mintmark_gateway_')
})

it('accepts no connection beyond MAX_CONNECTIONS', async () => {
  const { url } = await startServer({ MAX_CONNECTIONS: '1' })
  const request = 'GET /health HTTP/1.1\r\nhost: here\r\n\r\n'
  const first = connect(Number(new URL(url).port), '127.0.0.1')
  first.write(request)
  expect(String(await once(first, 'data'))).toContain('200 OK')
  const second = connect(Number(new URL(url).port), '127.0.0.1')
  second.write(request)
  let received = ''
  second.on('data', (chunk) => {
    received += chunk
    second.destroy()
  })
  second.on('error', () => {})
  await once(second, 'close')
  expect(received).toBe('')
  first.destroy()
})
