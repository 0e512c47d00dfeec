import { consoleFolder } from '@mintmark/console'
import { createReadyChainsReader } from '@mintmark/evm-reader'
import {
  addConsoleFiles,
  addSystemRoutes,
  CONSOLE_PATH,
  createFieldError,
  type Database,
  findDatabaseProblem,
  type Logger,
  type ServeOptions,
  type ServerMetrics,
  serveOperations,
  type Tracing,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import { createDiscovery } from './catalog/discovery.ts'
import { createQuotaSignatures } from './chains/evm/signatures/quota-signature.ts'
import type { Configuration } from './configuration.ts'
import type { Tables } from './database/tables.ts'
import { catalogRoutes } from './http/catalog/catalog.ts'
import { type Account, createAuthentication } from './http/context/authentication.ts'
import type { FacilitatorContext } from './http/context/context.ts'
import { accountTotalsRoutes } from './http/native/account-totals.ts'
import { accountRoutes } from './http/native/accounts.ts'
import { channelVoucherRoutes } from './http/native/channel-vouchers.ts'
import { micropaymentOrderRoutes } from './http/native/micropayment-orders.ts'
import { nativeResponses } from './http/native/native-responses.ts'
import { payerQuotaRoutes } from './http/native/payer-quotas.ts'
import { nativePaymentRoutes } from './http/native/payments.ts'
import { warnOfStockSoftware } from './http/native/stock-software.ts'
import { createOperatorApp, OPERATOR_PATHS } from './http/operator/operator-app.ts'
import type { OperatorPort } from './http/operator/operator-context.ts'
import { x402PaymentRoutes } from './http/x402/payments.ts'
import { x402Responses } from './http/x402/x402-responses.ts'
import { findKey } from './ledger/accounts/keys.ts'
import { createFacilitatorDocument, FACILITATOR_TITLE } from './openapi-document.ts'
import { version } from './operations/version.ts'
import { type PaymentsEngine, toEngineLog } from './payments-engine.ts'
import type { Webhooks } from './webhooks/index.ts'

/** What the application serves. */
export interface AppParts {
  readonly config: Configuration
  readonly log: Logger
  readonly database: Database<Tables>
  readonly metrics: ServerMetrics
  readonly payments: PaymentsEngine
  readonly webhooks: Webhooks
  readonly operator: OperatorPort
  /** Whether the server is about to stop, so that `/ready` responds 503. */
  readonly isStopping: () => boolean
  /** Where each call is a span. Undefined: calls are not traced. */
  readonly tracing: Tracing | undefined
}

/** The gateway's limit. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** Whether a header Prefer (RFC 7240) has a preference. */
const hasPreference = (header: string | undefined, preference: string): boolean =>
  header?.split(',').some((each) => each.trim().toLowerCase() === preference) ?? false

/** Creates the facilitator as a web-standard application: call its `fetch`, or serve it. */
export async function createFacilitatorApp(parts: AppParts): Promise<Hono> {
  const { config, database, log, metrics, webhooks } = parts
  const { engine, chains, settleContext, served, getSupported } = parts.payments
  const { enqueue } = webhooks
  const db = database.system
  const publicUrl = getPublicUrl(config)
  const payments = {
    engine,
    settleContext,
    discovery: createDiscovery({ db, allowPrivate: config.discoveryAllowPrivate, log: toEngineLog(log) }),
    served,
    getSupported,
    version,
    readStatus: () => readDatabaseStatus(database),
  }
  const domain = {
    name: 'Mintmark Facilitator',
    version: '1',
    chainId: config.treasuryChain,
    verifyingContract: config.treasury,
  }
  const quotaTerms = { domain, facilitator: config.facilitatorAddress }
  const quotaSignatures = createQuotaSignatures(quotaTerms, chains.byId(config.treasuryChain)?.client)
  const { trial, price } = config
  const routes = [
    ...nativePaymentRoutes(payments, chains),
    ...payerQuotaRoutes(quotaSignatures, enqueue),
    ...accountRoutes({ trial, price, domain, publicUrl, enqueue }),
    ...micropaymentOrderRoutes,
    ...accountTotalsRoutes(db, price),
    ...channelVoucherRoutes(settleContext),
    ...catalogRoutes,
    ...webhooks.routes,
  ]
  const app = new Hono()
  // Before CORS: pages of other origins have no access to the operator interface.
  addOperatorInterface(app, parts, publicUrl)
  const operations = routes.map(({ operation }) => operation)
  addSystemRoutes(app, {
    title: FACILITATOR_TITLE,
    metrics,
    metricsAccess: config.metrics,
    ready: createReadinessReader(parts),
    createDocument: (descriptions) => createFacilitatorDocument(publicUrl, descriptions, operations),
    corsOrigins: config.corsOrigins,
  })
  const shared: Omit<ServeOptions<Account | undefined, FacilitatorContext>, 'routes' | 'format'> = {
    unknownPathAdvice:
      'This is the facilitator: the gateway has another base URL, and clients of Mintmark use that of the facilitator without /x402',
    publicUrl,
    log,
    metrics,
    trustedProxyHops: config.trustedProxyHops,
    tracing: parts.tracing,
    authenticate: createAuthentication({
      async findAccount(token) {
        const holder = await findKey(db, token)
        return holder && { ...holder.account, keyId: holder.keyId }
      },
      rateLimit: config.rateLimit,
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
  addAccountPage(app)
  app.use(warnOfStockSoftware(log))
  serveOperations(app, { ...shared, routes: x402PaymentRoutes(payments), format: x402Responses })
  serveOperations(app, { ...shared, routes, format: nativeResponses })
  return app
}

/** The page of an account: the only one of the console that needs no gateway. A key of the account opens it. */
const ACCOUNT_PAGE = `${CONSOLE_PATH}/facilitator-account`

function addAccountPage(app: Hono): void {
  for (const path of ['/account', CONSOLE_PATH, `${CONSOLE_PATH}/`])
    app.get(path, (context) => context.redirect(ACCOUNT_PAGE))
  addConsoleFiles(app, consoleFolder)
}

/** Returns the address at which callers reach the server. */
const getPublicUrl = ({ publicUrl, host, port }: Configuration): string =>
  publicUrl?.href.replace(/\/$/, '') ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`

function addOperatorInterface(
  app: Hono,
  { config, operator, log, metrics, tracing }: AppParts,
  publicUrl: string,
): void {
  const { operatorToken: token, rateLimit, trustedProxyHops } = config
  if (token === undefined) return
  const shared = { publicUrl, log, metrics, trustedProxyHops, tracing }
  const operatorApp = createOperatorApp(operator, { token, rateLimit }, shared)
  app.all(OPERATOR_PATHS, (context) => operatorApp.fetch(context.req.raw, context.env))
}

/**
 * Creates the function that reads whether the server is ready, and which chains respond. A chain that does
 * not respond leaves the server ready, because accounts, quotas and the other chains work.
 */
function createReadinessReader({ isStopping, database, payments }: AppParts) {
  const readChains = createReadyChainsReader(payments.readChainStatus)
  return async () => {
    if (isStopping()) return { status: 'The server is stopping', version }
    const [status, chains] = await Promise.all([readDatabaseStatus(database), readChains()])
    return { status, version, chains }
  }
}

async function readDatabaseStatus(database: Database<Tables>): Promise<string> {
  const problem = await findDatabaseProblem(database.system)
  return problem === undefined ? 'ok' : `The database ${problem}`
}
