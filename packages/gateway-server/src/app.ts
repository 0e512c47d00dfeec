import type { SignatureScheme } from '@mintmark/core-auth'
import {
  addSystemRoutes,
  answerOnce,
  type Database,
  envelopeDoor,
  type Logger,
  openApiDocument,
  type RateLimit,
  readDescriptions,
  type Sealer,
  type ServerMetrics,
  serveOperations,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { createAuthentication } from './authentication.ts'
import { runWithPriorWork, withoutTransaction } from './chain/before-transaction.ts'
import { type MintChain, noMintChain } from './chain/mint-chain.ts'
import { noChains, type PaymentChains } from './chain/payment-chains.ts'
import { findInventory, orderPort, ownership } from './composition.ts'
import type { GatewayContext } from './context.ts'
import { addCardPages, addQrImages } from './domains/cards/pages/card-pages.ts'
import { ruleAnswers } from './http/rule-responses.ts'
import { findLiveKey, type LiveKey } from './keys/keys-store.ts'
import { createMinters } from './keys/minters.ts'
import { rememberSignature } from './keys/used-signatures.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from './order-settings.ts'
import { routes } from './routes.ts'
import type { Tables } from './tables.ts'
import { version } from './version.ts'

export interface GatewayAppOptions {
  database: Database<Tables>
  sealer: Sealer
  log: Logger
  metrics: ServerMetrics
  /** The chains that orders are paid on; none unless given. */
  chains?: PaymentChains
  /** The chains that tokens are minted on; none unless given. */
  mintChain?: MintChain
  orderSettings?: OrderSettings
  /** Where callers reach this server; its path is part of what they sign. */
  publicUrl: string
  /** An IANA time zone; UTC unless given. Cards that are good once a day take its days. */
  storeTimeZone?: string
  corsOrigins?: readonly string[]
  rateLimit?: RateLimit
  /** Calls of one project in progress at once; default 10. Choose it below the connections of the database. */
  concurrentCalls?: number
  /** How many proxies before this server append to X-Forwarded-For; 0, the default: the header is not used. */
  trustedProxyHops?: number
  skewSeconds?: number
  scheme?: SignatureScheme
  now?: () => number
}

/** Calls of one key, unless configured otherwise. */
export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 100, burst: 200 }
/** Calls of one project in progress at once, unless configured otherwise. */
const DEFAULT_CONCURRENT_CALLS = 10

/** The gateway as a web-standard application: call its `fetch`, or serve it. */
export async function createGatewayApp(options: GatewayAppOptions): Promise<Hono> {
  const { database, sealer, log, metrics, chains = noChains, mintChain = noMintChain } = options
  const { orderSettings = DEFAULT_ORDER_SETTINGS } = options
  const publicUrl = options.publicUrl.replace(/\/$/, '')
  const { storeTimeZone = 'UTC' } = options
  const minters = createMinters(sealer)
  const app = new Hono()
  const operations = routes.map((route) => route.operation)
  const limits = new Map(routes.map((route) => [route.operation, route.limits]))
  addSystemRoutes(app, {
    title: 'Mintmark marketplace gateway',
    metrics,
    openapi: openApiDocument({
      title: 'Mintmark marketplace gateway',
      version,
      description:
        'Wallets, cards, contracts, market and orders of digital collectibles. Every call is signed.',
      serverUrl: publicUrl,
      operations,
      limitsOf: (operation) => limits.get(operation),
      rules: ruleAnswers,
      descriptions: await readDescriptions(),
    }),
    corsOrigins: options.corsOrigins ?? [],
    health: async () => ({ status: await databaseStatus(database, log), version }),
  })
  addQrImages(app, publicUrl, (project) => database.forProject(project))
  addCardPages(app, storeTimeZone, (project) => database.forProject(project))
  serveOperations<LiveKey, GatewayContext>(app, {
    routes,
    door: envelopeDoor,
    rules: ruleAnswers,
    log,
    metrics,
    publicPath: new URL(publicUrl).pathname.replace(/\/$/, ''),
    trustedProxyHops: options.trustedProxyHops ?? 0,
    authenticate: createAuthentication({
      findKey: (apiKey) => findLiveKey(database.system, sealer, apiKey),
      remember: (keyId, signature, timestamp) =>
        rememberSignature(database.pool, keyId, signature, timestamp),
      rateLimit: options.rateLimit ?? DEFAULT_RATE_LIMIT,
      concurrentCalls: options.concurrentCalls ?? DEFAULT_CONCURRENT_CALLS,
      scheme: options.scheme,
      skewSeconds: options.skewSeconds,
      now: options.now,
    }),
    async run(call, handle) {
      const { project, wallet, name: keyName } = call.caller
      const db = database.forProject(project)
      const context = {
        ...{ db, project, wallet, publicUrl, requestId: call.requestId, storeTimeZone },
        ...{ keyName, chains, orderSettings, beforeTransaction: withoutTransaction, mintChain, minters },
        ...{ orders: orderPort, findInventory, ownership },
      }
      const key = call.method === 'POST' ? call.header('idempotency-key') : undefined
      if (key === undefined) return { data: await handle(context) }
      const kept = { table: 'gateway.idempotency_keys', owner: project, key, call, door: envelopeDoor }
      return await runWithPriorWork((beforeTransaction) =>
        answerOnce(db, kept, (trx) => handle({ ...context, db: trx, beforeTransaction })),
      )
    },
  })
  return app
}

async function databaseStatus(database: Database<Tables>, log: Logger): Promise<string> {
  try {
    await sql`select 1`.execute(database.system)
    return 'ok'
  } catch (error) {
    log.warn({ err: error }, 'the database does not answer')
    return 'the database does not answer'
  }
}
