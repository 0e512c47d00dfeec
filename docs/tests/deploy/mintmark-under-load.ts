import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFacilitator } from '@mintmark/facilitator-server'
import { createKey, openGatewayDatabase, startGateway } from '@mintmark/gateway-server'
import { createLog, createSealer, createSecretKey, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { expect, onTestFinished } from 'vitest'
import type { Tables } from '../../../packages/facilitator-server/src/database/tables.ts'
import { testAccount, testEnvironment } from '../../../packages/facilitator-server/src/testing.ts'
import { type Load, startLoad } from './failover-load.ts'

/** Confirmed calls before and after a failover. */
const CALLS = 10

export const stopAfterTest = (close: () => unknown) => onTestFinished(async () => void (await close()))

/** Starts both servers on a database, and the load on them. */
export async function startMintmark(databaseUrl: string, { hasWebhook = true } = {}) {
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
  stopAfterTest(() => gateway.close())
  const facilitator = await startFacilitator(environment, silent)
  stopAfterTest(() => facilitator.close())
  const owner = openGatewayDatabase({ url: databaseUrl, max: 1 })
  stopAfterTest(() => owner.close())
  const key = { project: 'shop', name: 'failover', scopes: ['*'] }
  const credentials = await createKey(owner.system, createSealer(settings.SECRET_KEYS), key)
  const accounts = openDatabase<Tables>({ url: databaseUrl, max: 1 })
  stopAfterTest(() => accounts.close())
  const { token } = await testAccount(accounts.system, { settles: 1_000_000 })
  const load = await startLoad({
    gateway: createGateway({ baseUrl: gateway.url, credentials, retries: 0 }),
    facilitatorUrl: facilitator.url,
    token,
    hasWebhook,
  })
  stopAfterTest(() => load.close())
  return { gateway, facilitator, accounts, load }
}
type Mintmark = Awaited<ReturnType<typeof startMintmark>>

/** Waits until everything that is running has confirmed or received more. */
export async function waitForProgress(load: Load): Promise<void> {
  const count = () => [
    load.cards.size,
    load.streamed.cards.size,
    ...(load.hasWebhook ? [load.delivered.size] : []),
    load.settled.size * (CALLS / 2),
  ]
  const before = count()
  await expect
    .poll(() => Math.min(...count().map((now, at) => now - (before[at] ?? 0))))
    .toBeGreaterThan(CALLS)
}

/** Checks that nothing that was confirmed is missing, or exists twice. */
export async function checkBooks({ gateway, facilitator, accounts, load }: Mintmark): Promise<void> {
  await load.stopCalls()
  const missing = (from: ReadonlySet<number>) => [...load.cards].filter((id) => !from.has(id))
  await expect.poll(() => missing(load.streamed.cards)).toEqual([])
  const { sequences } = load.streamed
  expect(sequences).toEqual(sequences.map((_, at) => at + 1))
  expect(load.streamed.repeated).toEqual([])
  expect(await findLostCards({ accounts, load })).toEqual([])
  const { rows } = await accounts.pool.query<{ nonce: string; charges: number }>(
    `select nonce, count(charge.*)::int as charges
     from facilitator.settlements settlement
     left join facilitator.charges charge on charge.settlement_id = settlement.id
     group by settlement.id`,
  )
  const charges = new Map(rows.map(({ nonce, charges }) => [nonce, charges]))
  expect([...load.settled].filter((nonce) => charges.get(nonce) !== 1)).toEqual([])
  if (load.hasWebhook) await expect.poll(() => missing(load.delivered)).toEqual([])
  for (const { url } of [gateway, facilitator]) expect((await fetch(`${url}/health`)).status).toBe(200)
  // Callers may repeat each of these. 500 would be a defect of the servers.
  expect([...load.failures.keys()].filter((status) => !/^(?:503|504|UnknownOutcome)$/.test(status))).toEqual(
    [],
  )
}

/** Lists confirmed cards that the database does not have. */
export async function findLostCards({ accounts, load }: Pick<Mintmark, 'accounts' | 'load'>) {
  const confirmed = [...load.cards]
  const { rows } = await accounts.pool.query<{ id: number }>('select id from gateway.cards')
  const stored = new Set(rows.map(({ id }) => id))
  return confirmed.filter((id) => !stored.has(id))
}
