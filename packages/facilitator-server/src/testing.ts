import { randomBytes } from 'node:crypto'
import type { payments } from '@mintmark/facilitator'
import { createLog, createSecretKey, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import type { Kysely } from 'kysely'
import type { Configuration } from './configuration.ts'
import { facilitatorSchema } from './database/schema.ts'
import type { Tables } from './database/tables.ts'
import { createAccount, creditAccount, getAccount } from './ledger/accounts/accounts.ts'
import { createKey } from './ledger/accounts/keys.ts'
import { getNextQuotaNonce, registerQuota } from './ledger/quotas/quotas.ts'
import type { Settlement } from './ledger/settlements/settlement.ts'
import { type RunningFacilitator, startFacilitator } from './server.ts'
import { testConfiguration } from './testing-configuration.ts'
import { createFacilitatorDatabase } from './testing-database.ts'

/** What a settle costs where nothing else is set, in wei. */
export const settlePrice = 2_000_000_000_000_000n

/** An account with a key, and means to pay. */
export interface TestAccount {
  readonly id: number
  /** The wallet that it is charged to, in lower case. */
  readonly payer: string
  readonly keyId: number
  readonly token: string
}

/** A whole facilitator as `serve` runs it, in this process, on a database of its own and a free port. */
export interface TestFacilitator {
  readonly url: string
  readonly databaseUrl: string
  /** Reads and writes what a test looks at or prepares, beside the server's own connections. */
  readonly db: Kysely<Tables>
  /** All that was logged so far, at every level. */
  readonly log: readonly string[]
  /** The settings that it was started with. */
  readonly env: Readonly<Record<string, string>>
  /** A new account that whose balance and quota pay for the given numbers of settles. */
  account(means?: { payer?: string; settles?: number; quota?: number }): Promise<TestAccount>
  /** Reads the metrics. */
  metrics(): Promise<string>
  /** Sends bytes or JSON as anybody could, without the client package. */
  post(path: string, body: unknown, token?: string, headers?: Record<string, string>): Promise<Response>
  /** The client package, as a product team uses it. */
  client(account?: Pick<TestAccount, 'token'>): FacilitatorClient
  /** Runs every job now. */
  runJobs(): Promise<void>
  /** All settlements, oldest first. */
  settlements(): Promise<Settlement[]>
  /** What an account can spend now, in wei. */
  available(account: Pick<TestAccount, 'id'>): Promise<bigint>
  /** Stops the server as a signal does. */
  shutdown(): Promise<void>
  close(): Promise<void>
}

export interface TestFacilitatorOptions {
  /** The dev chain, for the built-in upstream and for reading. */
  chain: { rpcUrl: string; treasury: string }
  /** Keys that settle and pay for gas; they hold the chain's native token. */
  signerKeys?: readonly string[]
  /** Settings that differ from those of the tests. */
  env?: Record<string, string>
  /** What differs from `testConfiguration`. */
  configuration?: Partial<Configuration>
}

/** Starts a facilitator for tests. Rate limits are off unless `env` sets them. */
export async function testFacilitator(options: TestFacilitatorOptions): Promise<TestFacilitator> {
  const database = await createFacilitatorDatabase()
  const env: Record<string, string> = {
    ...testEnvironment(options),
    DATABASE_URL: database.url,
    ...options.env,
  }
  const lines: string[] = []
  const log = createLog('facilitator', 'trace', { write: (line) => void lines.push(line) })
  let running: RunningFacilitator
  try {
    running = await startFacilitator(readEnvironment(env), log, {
      configuration: { ...testConfiguration, ...options.configuration },
    })
  } catch (error) {
    await database.drop()
    throw error
  }
  const { url } = running
  const opened = openDatabase<Tables>({ url: database.url, role: facilitatorSchema.role, max: 4 })
  const db = opened.system
  return {
    url,
    databaseUrl: database.url,
    db,
    log: lines,
    env,
    account: (means) => testAccount(db, means),
    async metrics() {
      const headers = { authorization: `Bearer ${env.METRICS_TOKEN}` }
      return (await fetch(`${url}/metrics`, { headers })).text()
    },
    async post(path, body, token, headers = {}) {
      const raw = typeof body === 'string' || body instanceof Uint8Array
      return fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: raw ? (body as BodyInit) : JSON.stringify(body),
      })
    },
    client: (account) =>
      createFacilitator({
        baseUrl: url,
        retries: 0,
        ...(account && { credentials: { token: account.token } }),
      }),
    runJobs: () => running.runJobs(),
    settlements: () => db.selectFrom('facilitator.settlements').selectAll().orderBy('id').execute(),
    available: async ({ id }) => (await getAccount(db, id)).available,
    shutdown: () => running.shutdown(),
    async close() {
      await running.close()
      await opened.close()
      await database.drop()
    },
  }
}

/** The settings of a facilitator on the dev chain, without those of its database. */
export function testEnvironment({ chain, signerKeys = [] }: TestFacilitatorOptions): Record<string, string> {
  return {
    FACILITATOR_PORT: '0',
    SECRET_KEYS: createSecretKey('test'),
    CHAINS: `84532=${chain.rpcUrl}`,
    FINALITY: '3',
    TREASURY_CHAIN: '84532',
    TREASURY_ADDRESS: chain.treasury,
    FACILITATOR_SIGNER_KEYS: signerKeys.join(','),
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DISCOVERY_ALLOW_PRIVATE: 'true',
    METRICS_TOKEN: 'a-token-for-the-metrics',
    AUDIT_INTERVAL_SECONDS: '0',
    REPEAT_TIMEOUT_MS: '0',
  }
}

/** Opens an account with a key, a credit and a quota. */
export async function testAccount(
  db: Kysely<Tables>,
  means: { payer?: string; settles?: number; quota?: number } = {},
): Promise<TestAccount> {
  const { settles = 100, quota = settles } = means
  const wallet = means.payer ?? `0x${randomBytes(20).toString('hex')}`
  const { id, payer } = await createAccount(db, { payer: wallet, name: 'test' })
  if (settles > 0) {
    const amount = settlePrice * BigInt(settles)
    await creditAccount(db, { account: id, amount, actor: 'test', reason: 'means to pay' })
  }
  if (quota > 0) {
    const registered = await registerQuota(
      db,
      { account: { id, payer }, payer },
      {
        limit: settlePrice * BigInt(quota),
        validAfter: 0n,
        validBefore: 4_000_000_000n,
        nonce: await getNextQuotaNonce(db, id),
        signature: '0x',
      },
    )
    if (registered.kind !== 'done') throw new Error(`the quota was refused: ${registered.kind}`)
  }
  const { key, token } = await createKey(db, { account: id, name: 'test' })
  return { id, payer, keyId: key.id, token }
}

/**
 * A signed body as the client takes it. Bodies of tests are typed more loosely, for many of them hold
 * nonsense.
 */
export const paymentInput = (body: object) => body as Parameters<typeof payments.settle>[1]
