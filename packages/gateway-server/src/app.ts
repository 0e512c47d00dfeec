import type { SignatureScheme } from '@mintmark/core-auth'
import { eventWebhooks } from '@mintmark/events'
import {
  addSystemRoutes,
  createOpenApiDocument,
  type Database,
  envelopeFormat,
  type Logger,
  type MetricsAccess,
  type RateLimit,
  type ResponseCipher,
  readDescriptions,
  runAs,
  runIdempotently,
  type Sealer,
  type ServerMetrics,
  serveOperations,
  type Tracing,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { type Caller, createAuthentication } from './authentication.ts'
import { runWithPriorWork, withoutTransaction } from './chain/before-transaction.ts'
import { type MintChain, noMintChain } from './chain/mint-chain.ts'
import { noChains, type PaymentChains } from './chain/payment-chains.ts'
import { findInventory, orderPort, ownership } from './composition.ts'
import type { GatewayContext } from './context.ts'
import { addCardPages, addQrImages } from './domains/cards/pages/card-pages.ts'
import type { EventStreams } from './domains/events/stream/event-streams.ts'
import { noWebhooks } from './domains/webhooks/no-webhooks.ts'
import type { WebhookPort } from './domains/webhooks/webhook-port.ts'
import { addPublishablePreflights } from './http/publishable-preflights.ts'
import { ruleResponses } from './http/rule-responses.ts'
import { findLiveKey } from './keys/keys-store.ts'
import { createMinters } from './keys/minters.ts'
import { findPublishableKey, isAllowedOrigin } from './keys/publishable-keys-store.ts'
import { rememberSignature } from './keys/used-signatures.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from './order-settings.ts'
import {
  createPublishableAuthentication,
  DEFAULT_PUBLISHABLE_LIMITS,
  PUBLISHABLE_KEY_HEADER,
  type PublishableLimits,
} from './publishable-authentication.ts'
import { routes } from './routes.ts'
import type { Tables } from './tables.ts'
import { openTenant, Tenant } from './tenant.ts'
import { version } from './version.ts'

export interface GatewayAppOptions {
  database: Database<Tables>
  sealer: Sealer
  log: Logger
  metrics: ServerMetrics
  /** Who may read `/metrics`. Undefined: nobody. */
  metricsAccess?: MetricsAccess | undefined
  /** The open streams of events of this process. */
  eventStreams: EventStreams
  /** The chains that orders are paid on. Default: none. */
  chains?: PaymentChains
  /** The chains that tokens are minted on. Default: none. */
  mintChain?: MintChain
  /** The webhooks and their deliveries. Default: none, and the operations of webhooks fail. */
  webhooks?: WebhookPort
  orderSettings?: OrderSettings
  /** How many contracts of a project may be indexed. Default 500. */
  indexedContracts?: number
  /** This server's public URL. Its path is part of the signed path of a call. */
  publicUrl: string
  /** The IANA time zone of daily limits of cards. Default UTC. */
  storeTimeZone?: string
  corsOrigins?: readonly string[]
  rateLimit?: RateLimit
  /**
   * Most concurrent calls of one project. Default 10. It should be lower than the number of database connections. Half as many calls with
   * publishable keys are accepted in addition.
   */
  concurrentCalls?: number
  /** The limits of calls with publishable keys. */
  publishableLimits?: PublishableLimits
  /** Number of proxies before this server that append to X-Forwarded-For. Default 0: the header is ignored. */
  trustedProxyHops?: number
  skewSeconds?: number
  scheme?: SignatureScheme
  /** The clock of signatures and rate limits, in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number
  /** The clock of rules, such as whether a sale ends in the future, in milliseconds since the epoch. Default: `Date.now`. */
  clock?: (() => number) | undefined
  /** Where each call is a span. Default: calls are not traced. */
  tracing?: Tracing | undefined
}

/** The default rate limit of a key. */
export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 100, burst: 200 }
/** The default limit of concurrent calls of one project. */
const DEFAULT_CONCURRENT_CALLS = 10

/** The default limit of indexed contracts of a project. */
export const DEFAULT_INDEXED_CONTRACTS = 500

/** Creates the gateway as a web-standard application: call its `fetch`, or serve it. */
export async function createGatewayApp(options: GatewayAppOptions): Promise<Hono> {
  const { database, log, metrics, storeTimeZone = 'UTC' } = options
  const publicUrl = options.publicUrl.replace(/\/$/, '')
  const app = new Hono()
  addPublishablePreflights(app, {
    isAllowedOrigin: (origin) => isAllowedOrigin(database.system, origin),
    trustedProxyHops: options.trustedProxyHops ?? 0,
    now: options.now,
  })
  addSystemRoutes(app, {
    title: 'Mintmark marketplace gateway',
    metrics,
    metricsAccess: options.metricsAccess,
    openapi: await createGatewayDocument(publicUrl),
    corsOrigins: options.corsOrigins ?? [],
    health: async () => ({ status: await getDatabaseStatus(database, log), version }),
  })
  addQrImages(app, publicUrl, (project) => openTenant(database, project))
  addCardPages(app, storeTimeZone, (project) => openTenant(database, project))
  serveOperations<Caller, GatewayContext>(app, {
    routes,
    format: envelopeFormat,
    rules: ruleResponses,
    log,
    metrics,
    clock: options.clock,
    tracing: options.tracing,
    publicPath: new URL(publicUrl).pathname.replace(/\/$/, ''),
    trustedProxyHops: options.trustedProxyHops ?? 0,
    authenticate: authenticateWith(options, new URL(publicUrl).origin),
    run: createRunner(options, { publicUrl, storeTimeZone }),
  })
  return app
}

async function createGatewayDocument(serverUrl: string) {
  const limits = new Map(routes.map((route) => [route.operation, route.limits]))
  return createOpenApiDocument({
    title: 'Mintmark marketplace gateway',
    version,
    description:
      'Wallets, cards, contracts, market and orders of digital collectibles. Every call is signed.',
    serverUrl,
    operations: routes.map((route) => route.operation),
    getLimits: (operation) => limits.get(operation),
    rules: ruleResponses,
    descriptions: await readDescriptions(),
  })
}

type Authenticate = (call: UnauthenticatedCall) => Promise<Caller>

/** Creates the authentication of both kinds of keys. The header of a publishable key decides which is used, so that no key counts as the other kind. */
function authenticateWith(options: GatewayAppOptions, ownOrigin: string): Authenticate {
  const { database, sealer, concurrentCalls = DEFAULT_CONCURRENT_CALLS } = options
  const authenticatePublishable = createPublishableAuthentication({
    findKey: (publishableKey) => findPublishableKey(database.system, publishableKey),
    limits: options.publishableLimits ?? DEFAULT_PUBLISHABLE_LIMITS,
    concurrentCalls: Math.max(1, Math.floor(concurrentCalls / 2)),
    ownOrigin,
    now: options.now,
  })
  const authenticateSigned = createAuthentication({
    findKey: (apiKey) => findLiveKey(database.system, sealer, apiKey),
    remember: (keyId, signature, timestamp) => rememberSignature(database.pool, keyId, signature, timestamp),
    rateLimit: options.rateLimit ?? DEFAULT_RATE_LIMIT,
    concurrentCalls,
    scheme: options.scheme,
    skewSeconds: options.skewSeconds,
    now: options.now,
  })
  return async (call) => {
    const isPublishable = call.header(PUBLISHABLE_KEY_HEADER) !== undefined
    return isPublishable ? await authenticatePublishable(call) : await authenticateSigned(call)
  }
}

const IDEMPOTENCY_TABLE = 'gateway.idempotency_keys'

/** The operations whose responses contain a secret. */
const RETURNS_SECRET: ReadonlySet<string> = new Set([
  eventWebhooks.configure.id,
  eventWebhooks.rotateSecret.id,
])

/** Creates the cipher of a response that is stored under an Idempotency-Key. */
function createCipher(sealer: Sealer, project: number, key: string): ResponseCipher {
  const place = { table: IDEMPOTENCY_TABLE, project, row: key }
  return { seal: (body) => sealer.seal(body, place), open: (sealed) => sealer.open(sealed, place) }
}

type Runner = Parameters<typeof serveOperations<Caller, GatewayContext>>[1]['run']

/** Creates the function that runs handlers: as the caller, with the context of the caller's project, and once per Idempotency-Key. */
function createRunner(
  options: GatewayAppOptions,
  { publicUrl, storeTimeZone }: Pick<GatewayContext, 'publicUrl' | 'storeTimeZone'>,
): Runner {
  const {
    database,
    eventStreams,
    chains = noChains,
    mintChain = noMintChain,
    webhooks = noWebhooks,
  } = options
  const { orderSettings = DEFAULT_ORDER_SETTINGS, indexedContracts = DEFAULT_INDEXED_CONTRACTS } = options
  const minters = createMinters(options.sealer)
  const run: Runner = async (call, handle) => {
    const { project, wallet, name: keyName, isPublic, isAuthorized } = call.caller
    const tenant = openTenant(database, project)
    const context: GatewayContext = {
      tenant,
      wallet,
      keyName,
      isPublic,
      publicUrl,
      requestId: call.requestId,
      storeTimeZone,
      chains,
      beforeTransaction: withoutTransaction,
      orderSettings,
      indexedContracts,
      mintChain,
      minters,
      orders: orderPort,
      findInventory,
      ownership,
      webhooks,
      eventStreams,
      stream: {
        lastEventId: call.header('last-event-id'),
        isAuthorized,
        disconnect: () => call.disconnect(),
      },
    }
    const key = call.method === 'POST' ? call.header('idempotency-key') : undefined
    if (key === undefined) return { data: await handle(context) }
    const stored = {
      ...{ table: IDEMPOTENCY_TABLE, owner: project, caller: wallet, key, call, format: envelopeFormat },
      cipher: RETURNS_SECRET.has(call.operation.id) ? createCipher(options.sealer, project, key) : undefined,
    }
    return await runWithPriorWork((beforeTransaction) =>
      runIdempotently(tenant.db, stored, (trx) =>
        handle({ ...context, tenant: new Tenant(trx, project), beforeTransaction }),
      ),
    )
  }
  return async (...args) => await runAs(args[0].caller.actor, () => run(...args))
}

async function getDatabaseStatus(database: Database<Tables>, log: Logger): Promise<string> {
  try {
    await sql`select 1`.execute(database.system)
    return 'ok'
  } catch (error) {
    log.warn({ err: error }, 'the database does not respond')
    return 'the database does not respond'
  }
}
