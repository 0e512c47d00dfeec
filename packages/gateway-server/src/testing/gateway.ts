import {
  createLog,
  createMetrics,
  createSealer,
  type Database,
  type DatabaseOptions,
  migrate,
  newSecretKey,
  openDatabase,
  type RateLimit,
  type Sealer,
} from '@mintmark/server-kit'
import { testDatabase } from '@mintmark/server-kit/testing'
import type { Hono } from 'hono'
import { createGatewayApp } from '../app.ts'
import type { MintChain } from '../chain/mint-chain.ts'
import type { PaymentChains } from '../chain/payment-chains.ts'
import { createKey, type NewKey } from '../keys/keys-store.ts'
import { maintainSignaturePartitions } from '../keys/used-signatures.ts'
import { ROLE } from '../migrations/index.ts'
import { listChanges } from '../migrations/list-changes.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../order-settings.ts'
import { gatewaySchema } from '../server.ts'
import type { Tables } from '../tables.ts'
import { createFakeMintChain, type FakeMintChain } from './fake-mint-chain.ts'
import { createFakePaymentChain, type FakePaymentChain } from './fake-payment-chain.ts'
import { type RawClient, type ResponseRecorder, rawClient } from './raw-client.ts'

/** A key with the client that signs with it. */
export interface TestKey extends RawClient {
  readonly projectId: number
  readonly apiKey: string
  readonly secret: string
}

/** A gateway in this process, on a database of its own. */
export interface TestGateway {
  readonly app: Hono
  /** As the gateway's own queries run: under its role, so that row-level security binds them. */
  readonly database: Database<Tables>
  /** As the schema's owner: sees every project's rows. */
  readonly owner: Database<Tables>
  /** The database's connection string, of its owner. */
  readonly url: string
  /** What seals the keys' secrets, as SECRET_KEYS has it. */
  readonly secretKeys: string
  readonly sealer: Sealer
  /** Milliseconds that are added to the gateway's clock. */
  readonly clock: { ahead: number }
  /** The chain that orders are paid on, unless the test passes one. It returns what the test sets. */
  readonly chain: FakePaymentChain
  /** The chain that tokens are minted on, unless the test passes one. It returns what the test sets. */
  readonly mintChain: FakeMintChain
  /** Every line that was logged, at any level. */
  readonly logged: string[]
  /** A key of the project "demo" with every scope. */
  readonly key: TestKey
  newKey(options?: Partial<NewKey>): Promise<TestKey>
  /** The same gateway once more, as a second process would be: nothing shared but the database. */
  another(options?: TestGatewayOptions): Promise<Hono>
  /** Ends it; throws when a secret or a signature was logged or answered to a key's client. */
  close(): Promise<void>
}

export interface TestGatewayOptions {
  corsOrigins?: readonly string[]
  publicUrl?: string
  storeTimeZone?: string
  rateLimit?: RateLimit
  concurrentCalls?: number
  /** Of the database the gateway works with; 10 connections and no timeouts unless given. */
  pool?: Pick<DatabaseOptions, 'max' | 'statementTimeoutMs' | 'connectTimeoutMs'>
  /** What orders are paid on; the quiet chain unless given. */
  chains?: PaymentChains
  /** What tokens are minted on; the quiet chain unless given. */
  mintChain?: MintChain
  orderSettings?: Partial<OrderSettings>
}

/** Where the test gateway believes to be reached; nothing listens there. */
export const TEST_URL = 'http://gateway.test'

/** Starts a gateway for a test: the real application on a real database, called through `app.fetch`. */
export async function testGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const place = await testDatabase()
  await migrate(place.url, gatewaySchema)
  const owner = openDatabase<Tables>({ url: place.url, max: 2 })
  await maintainSignaturePartitions(owner.pool)
  const secretKeys = newSecretKey('test')
  const sealer = createSealer(secretKeys)
  const clock = { ahead: 0 }
  const chain = createFakePaymentChain()
  const mintChain = createFakeMintChain()
  const now = () => Date.now() + clock.ahead
  const logged: string[] = []
  const recorder: ResponseRecorder = { secrets: new Set(), responses: [] }
  const databases: Database<Tables>[] = []

  const start = async (more: TestGatewayOptions = {}) => {
    const { pool, ...appOptions } = { ...options, ...more }
    const database = openDatabase<Tables>({ url: place.url, role: ROLE, max: 10, listChanges, ...pool })
    databases.push(database)
    const log = createLog('gateway', 'trace', { write: (line: string) => void logged.push(line) })
    const metrics = createMetrics('mintmark_gateway')
    const settings = {
      // Tests of one project make many calls at once.
      ...{ rateLimit: { perSecond: 10_000, burst: 20_000 }, concurrentCalls: 10_000 },
      ...{ publicUrl: TEST_URL, chains: chain, mintChain, ...appOptions },
      orderSettings: { ...DEFAULT_ORDER_SETTINGS, ...options.orderSettings, ...more.orderSettings },
    }
    const app = await createGatewayApp({ database, sealer, log, metrics, now, ...settings })
    return { app, database }
  }
  const { app, database } = await start()

  const newKey = async (key: Partial<NewKey> = {}): Promise<TestKey> => {
    const made = await createKey(owner.system, sealer, { project: 'demo', name: 'test', ...key })
    const publicUrl = options.publicUrl ?? TEST_URL
    return { ...made, ...rawClient((request) => app.fetch(request), made, { now, publicUrl, recorder }) }
  }
  return {
    app,
    database,
    owner,
    url: place.url,
    secretKeys,
    sealer,
    clock,
    chain,
    mintChain,
    logged,
    key: await newKey(),
    newKey,
    another: async (more) => (await start(more)).app,
    async close() {
      for (const each of [...databases, owner]) await each.close()
      await place.drop()
      refuseTold(recorder, logged)
    },
  }
}

function refuseTold({ secrets, responses }: ResponseRecorder, logged: readonly string[]): void {
  for (const [where, texts] of [
    ['logged', logged],
    ['answered', responses],
  ] as const) {
    const all = texts.join('\n')
    for (const secret of secrets) {
      const at = all.indexOf(secret)
      if (at >= 0) throw new Error(`a secret or a signature was ${where}: ${all.slice(at - 200, at + 200)}`)
    }
  }
}
