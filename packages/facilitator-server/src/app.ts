import {
  addSystemRoutes,
  type Database,
  invalidField,
  type Logger,
  openApiDocument,
  type RateLimit,
  type Route,
  readDescriptions,
  type ServerMetrics,
  type Serving,
  serveOperations,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { findKey } from './ledger/accounts/keys.ts'
import { type Account, createAuthentication, DEFAULT_RATE_LIMIT } from './authentication.ts'
import type { FacilitatorContext } from './context.ts'
import { facilitatorDoor } from './http/native/native-responses.ts'
import { warnOfStockSoftware } from './http/native/stock-software.ts'
import { x402Door } from './http/x402/x402-responses.ts'
import type { Supported } from './http/x402/x402-operations.ts'
import type { Engine } from './payments/engine.ts'
import { micropaymentOrderRoutes } from './http/native/micropayment-orders.ts'
import { payerQuotaRoutes } from './http/native/payer-quotas.ts'
import { paymentRoutes } from './http/payments.ts'
import { ruleAnswers } from './http/rule-responses.ts'
import type { Enqueue } from './events/record-event.ts'
import type { QuotaSignatures } from './quotas/quota-signature.ts'
import type { Tables } from './tables.ts'
import { version } from './version.ts'

export interface FacilitatorAppOptions {
  database: Database<Tables>
  engine: Engine
  /** CAIP-2 networks that payments are taken on. */
  networks: ReadonlySet<string>
  supported: Supported
  quotaSignatures: QuotaSignatures
  /** The webhooks' operations, and what puts their jobs into a transaction. */
  webhookRoutes?: readonly Route<FacilitatorContext>[]
  enqueue?: Enqueue | undefined
  log: Logger
  metrics: ServerMetrics
  /** Where callers reach this server. */
  publicUrl: string
  corsOrigins?: readonly string[]
  rateLimit?: RateLimit
  /** How many proxies before this server append to X-Forwarded-For; 0, the default: the header is not used. */
  trustedProxyHops?: number
  now?: () => number
}

/** As of the gateway. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** The facilitator as a web-standard application: call its `fetch`, or serve it. */
export async function createFacilitatorApp(options: FacilitatorAppOptions): Promise<Hono> {
  const { database, engine, log, metrics } = options
  const db = database.system
  const payments = paymentRoutes({
    engine,
    networks: options.networks,
    supported: options.supported,
    version,
    status: () => databaseStatus(database),
  })
  const routes = [
    ...payments.root,
    ...payerQuotaRoutes(options.quotaSignatures, options.enqueue),
    ...micropaymentOrderRoutes,
    ...(options.webhookRoutes ?? []),
  ]
  const app = new Hono()
  addSystemRoutes(app, {
    title: 'Mintmark micropayment facilitator',
    metrics,
    openapi: openApiDocument({
      title: 'Mintmark micropayment facilitator',
      version,
      description:
        'Verifies and settles x402 payments, and bills each settle. Stock x402 software uses verify, settle and supported below /x402.',
      serverUrl: options.publicUrl,
      operations: routes.map(({ operation }) => operation),
      rules: ruleAnswers,
      descriptions: await readDescriptions(),
    }),
    corsOrigins: options.corsOrigins ?? [],
  })
  const shared: Omit<Serving<Account | undefined, FacilitatorContext>, 'routes' | 'door'> = {
    rules: ruleAnswers,
    log,
    metrics,
    trustedProxyHops: options.trustedProxyHops ?? 0,
    authenticate: createAuthentication({
      async findAccount(token) {
        const holder = await findKey(db, token)
        return holder && { ...holder.account, keyId: holder.keyId }
      },
      rateLimit: options.rateLimit ?? DEFAULT_RATE_LIMIT,
      now: options.now,
    }),
    async run(call, handle, { headers }) {
      const idempotencyKey = call.header('idempotency-key')
      if (idempotencyKey !== undefined && idempotencyKey.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
        throw invalidField('Idempotency-Key', `Expected at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`)
      }
      return {
        data: await handle({ db, account: call.caller, idempotencyKey, headers, requestId: call.requestId }),
      }
    },
  }
  app.use(warnOfStockSoftware(log))
  serveOperations(app, { ...shared, routes: payments.x402, door: x402Door })
  serveOperations(app, { ...shared, routes, door: facilitatorDoor })
  return app
}

async function databaseStatus(database: Database<Tables>): Promise<string> {
  try {
    await sql`select 1`.execute(database.system)
    return 'ok'
  } catch {
    return 'The database does not answer'
  }
}
