import { type ChainStatus, type Chains, createReadyChainsReader } from '@mintmark/evm-reader'
import {
  addSystemRoutes,
  createFieldError,
  type Database,
  findDatabaseProblem,
  type Logger,
  type MetricsAccess,
  type RateLimit,
  type Route,
  type ServeOptions,
  type ServerMetrics,
  serveOperations,
  type Tracing,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import type { Discovery } from './catalog/discovery.ts'
import type { QuotaSignatures } from './chains/evm/signatures/quota-signature.ts'
import type { Tables } from './database/tables.ts'
import type { Engine } from './engine/engine.ts'
import type { RevertWaits } from './engine/reverts/revert-waits.ts'
import type { Enqueue } from './events/record-event.ts'
import { catalogRoutes } from './http/catalog/catalog.ts'
import { type Account, createAuthentication, DEFAULT_RATE_LIMIT } from './http/context/authentication.ts'
import type { FacilitatorContext } from './http/context/context.ts'
import { accountTotalsRoutes } from './http/native/account-totals.ts'
import { type AccountOptions, accountRoutes } from './http/native/accounts.ts'
import { channelVoucherRoutes } from './http/native/channel-vouchers.ts'
import { micropaymentOrderRoutes } from './http/native/micropayment-orders.ts'
import { nativeResponses } from './http/native/native-responses.ts'
import { payerQuotaRoutes } from './http/native/payer-quotas.ts'
import { nativePaymentRoutes } from './http/native/payments.ts'
import { warnOfStockSoftware } from './http/native/stock-software.ts'
import { createOperatorApp, OPERATOR_PATHS } from './http/operator/operator-app.ts'
import type { OperatorPort } from './http/operator/operator-context.ts'
import type { Supported } from './http/payments/x402-operations.ts'
import { x402PaymentRoutes } from './http/x402/payments.ts'
import { x402Responses } from './http/x402/x402-responses.ts'
import { findKey } from './ledger/accounts/keys.ts'
import { createFacilitatorDocument, FACILITATOR_TITLE } from './openapi-document.ts'
import { version } from './operations/version.ts'
import type { Served, SettleContext } from './schemes/scheme.ts'

export interface FacilitatorAppOptions {
  database: Database<Tables>
  engine: Engine
  /** The chains on which payments are settled. */
  chains: Pick<Chains, 'byNetwork'>
  settleContext: SettleContext
  /** Catalogs what settles. */
  discovery: Discovery
  /** The waits after reverted transactions. */
  revertWaits: RevertWaits
  served: Served
  /** Reads which chains respond, for the readiness check. */
  readChainStatus: () => Promise<readonly ChainStatus[]>
  /** Whether the server is about to stop, so that `/ready` responds 503. Default: never. */
  isStopping?: (() => boolean) | undefined
  getSupported(accountId: number | undefined): Promise<Supported>
  quotaSignatures: QuotaSignatures
  /** The webhooks' operations, and the function that adds their jobs to a transaction. */
  webhookRoutes?: readonly Route<FacilitatorContext>[]
  enqueue?: Enqueue | undefined
  log: Logger
  metrics: ServerMetrics
  /** Who may read `/metrics`. Undefined: nobody. */
  metricsAccess?: MetricsAccess | undefined
  /** How wallets open accounts. */
  accounts: Pick<AccountOptions, 'trial' | 'price'>
  /** The address at which callers reach this server. */
  publicUrl: string
  corsOrigins?: readonly string[]
  rateLimit?: RateLimit
  /** The operator interface. Undefined: there is none, and its paths do not exist. */
  operator?: { readonly token: string; readonly port: OperatorPort } | undefined
  /** The number of proxies that append to X-Forwarded-For. Default 0: the header is ignored. */
  trustedProxyHops?: number
  /** Where each call is a span. Default: calls are not traced. */
  tracing?: Tracing | undefined
  now?: () => number
}

/** The gateway's limit. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** Whether a header Prefer (RFC 7240) has a preference. */
const hasPreference = (header: string | undefined, preference: string): boolean =>
  header?.split(',').some((each) => each.trim().toLowerCase() === preference) ?? false

/** Creates the facilitator as a web-standard application: call its `fetch`, or serve it. */
export async function createFacilitatorApp(options: FacilitatorAppOptions): Promise<Hono> {
  const { database, engine, log, metrics } = options
  const db = database.system
  const payments = {
    engine,
    settleContext: options.settleContext,
    discovery: options.discovery,
    revertWaits: options.revertWaits,
    served: options.served,
    getSupported: options.getSupported,
    version,
    readStatus: () => readDatabaseStatus(database),
  }
  const routes = [
    ...nativePaymentRoutes(payments, options.chains),
    ...payerQuotaRoutes(options.quotaSignatures, options.enqueue),
    ...accountRoutes({
      ...options.accounts,
      domain: options.quotaSignatures.terms.domain,
      publicUrl: options.publicUrl,
      enqueue: options.enqueue,
    }),
    ...micropaymentOrderRoutes,
    ...accountTotalsRoutes(db),
    ...channelVoucherRoutes(options.settleContext),
    ...catalogRoutes,
    ...(options.webhookRoutes ?? []),
  ]
  const app = new Hono()
  // Before CORS: pages of other origins have no access to the operator interface.
  addOperatorInterface(app, options)
  addSystemRoutes(app, {
    title: FACILITATOR_TITLE,
    metrics,
    metricsAccess: options.metricsAccess,
    ready: createReadinessReader(options),
    createDocument: (descriptions) =>
      createFacilitatorDocument(
        options.publicUrl,
        descriptions,
        routes.map(({ operation }) => operation),
      ),
    corsOrigins: options.corsOrigins ?? [],
  })
  const shared: Omit<ServeOptions<Account | undefined, FacilitatorContext>, 'routes' | 'format'> = {
    unknownPathAdvice:
      'This is the facilitator: the gateway has another base URL, and clients of Mintmark use that of the facilitator without /x402',
    publicUrl: options.publicUrl,
    log,
    metrics,
    trustedProxyHops: options.trustedProxyHops ?? 0,
    tracing: options.tracing,
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
        throw createFieldError('Idempotency-Key', `Expected at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`)
      }
      const { caller: account, remoteAddress, requestId, onUndelivered, getSignal } = call
      const repeatsSuccess = hasPreference(call.header('prefer'), 'repeat-success')
      const request = { remoteAddress, requestId, repeatsSuccess, onUndelivered, getSignal }
      return { data: await handle({ db, account, idempotencyKey, headers, ...request }) }
    },
  }
  app.use(warnOfStockSoftware(log))
  serveOperations(app, { ...shared, routes: x402PaymentRoutes(payments), format: x402Responses })
  serveOperations(app, { ...shared, routes, format: nativeResponses })
  return app
}

function addOperatorInterface(app: Hono, options: FacilitatorAppOptions): void {
  const { operator, publicUrl, log, metrics, trustedProxyHops = 0, tracing, now } = options
  if (operator === undefined) return
  const access = { token: operator.token, rateLimit: options.rateLimit ?? DEFAULT_RATE_LIMIT, now }
  const shared = { publicUrl, log, metrics, trustedProxyHops, tracing }
  const operatorApp = createOperatorApp(operator.port, access, shared)
  app.all(OPERATOR_PATHS, (context) => operatorApp.fetch(context.req.raw, context.env))
}

/**
 * Creates the function that reads whether the server is ready, and which chains respond. A chain that does
 * not respond leaves the server ready, because accounts, quotas and the other chains work.
 */
function createReadinessReader({ isStopping, database, readChainStatus }: FacilitatorAppOptions) {
  const readChains = createReadyChainsReader(readChainStatus)
  return async () => {
    if (isStopping?.() === true) return { status: 'The server is stopping', version }
    const [status, chains] = await Promise.all([readDatabaseStatus(database), readChains()])
    return { status, version, chains }
  }
}

async function readDatabaseStatus(database: Database<Tables>): Promise<string> {
  const problem = await findDatabaseProblem(database.system)
  return problem === undefined ? 'ok' : `The database ${problem}`
}
