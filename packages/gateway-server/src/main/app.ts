import {
  apiKeys,
  audit,
  dailyTotals,
  operatorProjects,
  operators,
  people,
  projectSearch,
  reports,
} from '@mintmark/admin'
import type { SignatureScheme } from '@mintmark/core-auth'
import { eventWebhooks } from '@mintmark/events'
import {
  type Chains,
  createChainStatusReader,
  createReadyChainsReader,
  openChains,
} from '@mintmark/evm-reader'
import type { OperationShape } from '@mintmark/operation'
import {
  addSystemRoutes,
  cacheLookup,
  createConcurrencyLimiter,
  type Database,
  envelopeFormat,
  findDatabaseProblem,
  type JobState,
  type Logger,
  type MetricsAccess,
  type RateLimit,
  type Replica,
  runAs,
  type Sealer,
  type ServerMetrics,
  serveOperations,
  type Tracing,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import type { Transaction } from 'kysely'
import { type MintChain, noMintChain } from '../chain/mint-chain.ts'
import { noChains, type PaymentChains } from '../chain/payment-chains.ts'
import { compressReads } from '../console/compress-reads.ts'
import { addConsole } from '../console/console.ts'
import type { Tables } from '../database/tables.ts'
import { openTenant, Tenant } from '../database/tenant.ts'
import { addCardPages } from '../domains/cards/pages/card-pages.ts'
import type { EventStreams } from '../domains/events/stream/event-streams.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../domains/inventory/order-settings.ts'
import { addMediaFiles } from '../domains/media/media-files.ts'
import { DEFAULT_MEDIA, type MediaSettings } from '../domains/media/media-ports.ts'
import { createMailer, type MailSettings } from '../domains/people/mailer.ts'
import { findPermissions } from '../domains/people/members-store.ts'
import type { OidcSettings, PeopleAuth } from '../domains/people/people-auth.ts'
import type { PeoplePort } from '../domains/people/people-port.ts'
import { noWebhooks } from '../domains/webhooks/no-webhooks.ts'
import type { WebhookPort } from '../domains/webhooks/webhook-port.ts'
import { addFacilitatorInterface } from '../facilitator/facilitator-app.ts'
import type { FacilitatorSettings } from '../facilitator/facilitator-settings.ts'
import { type Caller, createAuthentication, type EnterProject } from '../http/authentication.ts'
import type { GatewayContext } from '../http/context.ts'
import { type ResponseCipher, runIdempotently } from '../http/idempotency.ts'
import { refuseHeld } from '../http/moving-projects.ts'
import {
  createPublishableAuthentication,
  DEFAULT_PUBLISHABLE_LIMITS,
  PUBLISHABLE_KEY_HEADER,
  type PublishableLimits,
} from '../http/publishable-authentication.ts'
import { addPublishablePreflights } from '../http/publishable-preflights.ts'
import { isOperatorScope } from '../http/roles.ts'
import { createSessionAuthentication, SESSION_HEADER } from '../http/session-authentication.ts'
import { findLiveKey, hasProject } from '../keys/keys-store.ts'
import { createMinters } from '../keys/minters.ts'
import { findPublishableKey, isAllowedOrigin } from '../keys/publishable-keys-store.ts'
import { rememberSignature } from '../keys/used-signatures.ts'
import type { OperatorPort } from '../operator/operator-port.ts'
import { version } from '../version.ts'
import { findInventory, orderPort, ownership } from './composition.ts'
import { createGatewayDocument, GATEWAY_TITLE } from './openapi-document.ts'
import { createRoutes, type GatewayPorts, routes } from './routes.ts'
import { isValidation, runAndRollBack } from './validation.ts'

export interface GatewayAppOptions {
  database: Database<Tables>
  /** A standby of the database, for lists and reports. Default: none. */
  replica?: Replica<Tables> | undefined
  /** Connections of the schema's owner, for what calls of projects have no access to: people and keys. */
  owner: Database<Tables>
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
  /** Where uploaded pictures are stored, and how many. Default: 1 GiB of each project, in the folder `media`. */
  media?: MediaSettings
  /** How many contracts of a project may be indexed. Default 500. */
  indexedContracts?: number
  /** This server's public URL. Its path is part of the signed path of a call. */
  publicUrl: string
  /** The IANA time zone of daily limits of cards. Default UTC. */
  storeTimeZone?: string
  corsOrigins?: readonly string[]
  rateLimit?: RateLimit
  /**
   * Most concurrent calls of one project, signed and by people together. Default 10. It should be lower than
   * the number of database connections. Half as many calls with publishable keys are accepted in addition.
   */
  concurrentCalls?: number
  /** The limits of calls with publishable keys. */
  publishableLimits?: PublishableLimits
  /** Whether the server is about to stop, so that `/ready` responds 503. Default: never. */
  isStopping?: (() => boolean) | undefined
  /** All configured chains, whose health operators see. Default: none. */
  openedChains?: Chains | undefined
  /** Returns the states of the jobs of this process, which operators see. Default: none. */
  listJobs?: (() => readonly JobState[]) | undefined
  /**
   * Returns the blocks at which the indexer of this process cannot continue, which operators see. Default:
   * none.
   */
  listUnreadableBlocks?: (() => ReadonlyMap<string, number>) | undefined
  /** An identity provider for people who use the console. Default: none. */
  oidc?: OidcSettings | undefined
  /** How invitations and new passwords are mailed. Default: not at all. */
  mail?: MailSettings | undefined
  /** The facilitator that operators of this server also operate. Default: none. */
  facilitator?: FacilitatorSettings | undefined
  /**
   * Number of proxies before this server that append to X-Forwarded-For. Default 0: the header is ignored.
   */
  trustedProxyHops?: number
  skewSeconds?: number
  scheme?: SignatureScheme
  /** The clock of signatures and rate limits, in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number
  /**
   * The clock of rules, such as whether a sale ends in the future, in milliseconds since the epoch. Default:
   * `Date.now`.
   */
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
  compressReads(app)
  addPublishablePreflights(app, {
    isAllowedOrigin: (origin) => isAllowedOrigin(database.system, origin),
    trustedProxyHops: options.trustedProxyHops ?? 0,
    now: options.now,
  })
  addSystemRoutes(app, {
    title: GATEWAY_TITLE,
    metrics,
    metricsAccess: options.metricsAccess,
    createDocument: (descriptions) => createGatewayDocument(publicUrl, descriptions),
    corsOrigins: options.corsOrigins ?? [],
    health: async () => ({ status: await getDatabaseStatus(database, log), version }),
    ready: createReadinessReader(options),
  })
  const peoplePort: PeoplePort = { db: options.owner.system, sealer: options.sealer }
  const trustedProxyHops = options.trustedProxyHops ?? 0
  const findProject = createTenantLookup(options)
  addCardPages(app, {
    timeZone: storeTimeZone,
    publicUrl,
    trustedProxyHops,
    now: options.now,
    findProject,
  })
  addMediaFiles(app, { storage: (options.media ?? DEFAULT_MEDIA).storage, findProject })
  const operatorPort: OperatorPort = {
    db: options.owner.system,
    chains: options.openedChains ?? openChains([]),
    findInventory,
    orders: orderPort,
    listJobs: options.listJobs ?? (() => []),
    listUnreadableBlocks: options.listUnreadableBlocks ?? (() => new Map()),
  }
  const { oidc, mail, now, facilitator, tracing } = options
  const mailer = mail && createMailer(mail, log, { now })
  const getDestinations = () => (options.webhooks ?? noWebhooks).destinations
  const consoleOptions = { publicUrl, oidc, mailer, trustedProxyHops, getDestinations, log, now }
  const auth = await addConsole(app, { ...peoplePort, ...consoleOptions })
  const ownOrigin = new URL(publicUrl).origin
  const enter = createConcurrencyLimiter(options.concurrentCalls ?? DEFAULT_CONCURRENT_CALLS)
  const authenticatePerson = authenticatePeople(options, { ownOrigin, auth, enter })
  if (facilitator !== undefined) {
    const shared = { publicUrl, log, metrics, trustedProxyHops, tracing }
    addFacilitatorInterface(app, { facilitator, authenticate: authenticatePerson, ...shared })
  }
  serveOperations<Caller, GatewayContext>(app, {
    routes: createRoutes({
      ...readPorts(options),
      publicUrl,
      people: peoplePort,
      operator: operatorPort,
      mailer,
    }),
    format: envelopeFormat,
    unknownPathAdvice:
      'This is the gateway: the facilitator has another base URL, and that of the gateway ends before /api',
    log,
    metrics,
    clock: options.clock,
    tracing,
    publicUrl,
    publicPath: new URL(publicUrl).pathname.replace(/\/$/, ''),
    trustedProxyHops,
    authenticate: authenticateWith(options, { ownOrigin, authenticatePerson, enter }),
    run: createRunner(options),
  })
  return app
}

/**
 * Creates the look-up of a project that an address names. A project that does not exist is not opened: the
 * database keeps an instance for each of a thousand projects, which invented numbers would replace.
 */
function createTenantLookup({ database, now }: GatewayAppOptions) {
  const find = cacheLookup(
    async (project) => (await hasProject(database.system, Number(project))) || undefined,
    {
      now,
    },
  )
  return async (project: number) =>
    (await find(String(project))) === undefined ? undefined : openTenant(database, project)
}

type Authenticate = (call: UnauthenticatedCall) => Promise<Caller>

/** Creates the authentication of people who are signed in to the console. */
function authenticatePeople(
  options: GatewayAppOptions,
  { ownOrigin, auth, enter }: { ownOrigin: string; auth: PeopleAuth; enter: EnterProject },
): Authenticate {
  return createSessionAuthentication({
    findPerson: async (cookies) => {
      const session = await auth.findSession(new Headers({ cookie: cookies }))
      const permissions = session && (await findPermissions(options.owner.system, session.personId))
      return permissions && { ...session, ...permissions }
    },
    extendSession: (cookies, person) => auth.extendSession(new Headers({ cookie: cookies }), person),
    rateLimit: options.rateLimit ?? DEFAULT_RATE_LIMIT,
    enter,
    ownOrigin,
    now: options.now,
  })
}

/**
 * Creates the authentication of keys and of people. A header decides which is used, so that no credential
 * counts as one of another kind.
 */
function authenticateWith(
  options: GatewayAppOptions,
  {
    ownOrigin,
    authenticatePerson,
    enter,
  }: { ownOrigin: string; authenticatePerson: Authenticate; enter: EnterProject },
): Authenticate {
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
    remember: (key, signature, timestamp) =>
      rememberSignature(database.forProject(key.project), key, signature, timestamp),
    rateLimit: options.rateLimit ?? DEFAULT_RATE_LIMIT,
    enter,
    scheme: options.scheme,
    skewSeconds: options.skewSeconds,
    now: options.now,
  })
  return async (call) => {
    if (call.header(SESSION_HEADER) !== undefined) return await authenticatePerson(call)
    const isPublishable = call.header(PUBLISHABLE_KEY_HEADER) !== undefined
    if (isPublishable) return await authenticatePublishable(call)
    return await refuseHeld(() => authenticateSigned(call))
  }
}

const IDEMPOTENCY_TABLE = 'gateway.idempotency_keys'

/** The scopes that a key can have. */
const KEY_SCOPES: ReadonlySet<string> = new Set(
  routes
    .flatMap(({ operation: { scope } }) => scope ?? [])
    .filter((scope) => !isOperatorScope(scope))
    .sort(),
)

/** Every scope that a publishable key can have. */
const PUBLISHABLE_SCOPES: ReadonlySet<string> = new Set(
  routes.flatMap(({ operation: { publishable, scope } }) => (publishable ? (scope ?? []) : [])).sort(),
)

/** The operations whose responses contain a secret. */
const RETURNS_SECRET: ReadonlySet<string> = new Set([
  apiKeys.create.id,
  apiKeys.rotate.id,
  people.invite.id,
  operatorProjects.inviteOwner.id,
  operators.invite.id,
  eventWebhooks.configure.id,
  eventWebhooks.rotateSecret.id,
])

/** Returns the ports that the options name, or their defaults. */
function readPorts(
  options: GatewayAppOptions,
): Omit<GatewayPorts, 'publicUrl' | 'people' | 'operator' | 'mailer'> {
  return {
    chains: options.chains ?? noChains,
    eventStreams: options.eventStreams,
    findInventory,
    hasFacilitator: options.facilitator !== undefined,
    indexedContracts: options.indexedContracts ?? DEFAULT_INDEXED_CONTRACTS,
    knownScopes: KEY_SCOPES,
    media: options.media ?? DEFAULT_MEDIA,
    mintChain: options.mintChain ?? noMintChain,
    minters: createMinters(options.sealer),
    orderSettings: options.orderSettings ?? DEFAULT_ORDER_SETTINGS,
    orders: orderPort,
    owner: options.owner.system,
    ownership,
    publishableScopes: PUBLISHABLE_SCOPES,
    storeTimeZone: options.storeTimeZone ?? 'UTC',
    webhooks: options.webhooks ?? noWebhooks,
  }
}

/** Creates the cipher of a response that is stored under an Idempotency-Key. */
function createCipher(sealer: Sealer, project: number, key: string): ResponseCipher {
  const place = { table: IDEMPOTENCY_TABLE, project, row: key }
  return { seal: (body) => sealer.seal(body, place), open: (sealed) => sealer.open(sealed, place) }
}

type Runner = Parameters<typeof serveOperations<Caller, GatewayContext>>[1]['run']

/**
 * Creates the function that runs handlers: as the caller, with the context of the caller's project, and once
 * per Idempotency-Key.
 */
function createRunner({ database, replica, sealer }: GatewayAppOptions): Runner {
  const runOn = async (
    database: Database<Tables>,
    ...[call, handle, _, prepare]: Parameters<Runner>
  ): ReturnType<Runner> => {
    const { caller } = call
    const { project, wallet, actor } = caller
    // Row-level security refuses every query of a call that belongs to no project.
    const tenant = project === 0 ? new Tenant(database.system, project) : openTenant(database, project)
    const connection = {
      lastEventId: call.header('last-event-id'),
      isConnected: () => call.isConnected(),
      disconnect: () => call.disconnect(),
    }
    const context: GatewayContext = { tenant, caller, connection }
    const handleIn = (trx: Transaction<Tables>, prepared: Promise<unknown> | undefined) =>
      handle({ ...context, tenant: new Tenant(trx, project) }, prepared)
    if (isValidation(call.operation))
      return { data: await runAndRollBack(tenant.db, handleIn, prepare && (() => prepare(context))) }
    const key = call.method === 'POST' ? call.header('idempotency-key') : undefined
    // Responses are stored with the rows of a project. What an operator decides without a project has no
    // second effect when it is repeated.
    if (key === undefined || project === 0) return { data: await handle(context) }
    // A secret is returned only to the key or person that it was made for: another one may hold fewer scopes.
    const isSecret = RETURNS_SECRET.has(call.operation.id)
    const stored = {
      table: IDEMPOTENCY_TABLE,
      owner: project,
      caller: isSecret ? actor : wallet,
      key,
      call,
      format: envelopeFormat,
      cipher: isSecret ? createCipher(sealer, project, key) : undefined,
      prepare: prepare && (() => prepare(context)),
    }
    return await runIdempotently(tenant.db, stored, handleIn)
  }
  const run: Runner = async (...args) => {
    const [{ operation, caller }] = args
    if (replica === undefined) return await runOn(database, ...args)
    if (readsReplica(operation)) return await replica.read(caller.actor, (each) => runOn(each, ...args))
    try {
      return await runOn(database, ...args)
    } finally {
      if (operation.effect === 'write') replica.recordWrite(caller.actor)
    }
  }
  return async (...args) => await refuseHeld(() => runAs(args[0].caller.actor, () => run(...args)))
}

/** The reads of many rows that are no pages. */
const REPORTS: ReadonlySet<string> = new Set([
  audit.verify.id,
  dailyTotals.get.id,
  projectSearch.find.id,
  reports.redemptions.id,
  reports.sales.id,
])

/** Whether an operation reads so many rows that a replica should. */
const readsReplica = ({ id, effect, paged }: OperationShape): boolean =>
  effect === 'read' && (paged === true || REPORTS.has(id))

/**
 * Creates the function that reads whether the server is ready, and which chains respond. A chain that does
 * not respond leaves the server ready, because only its payments, mints and index wait.
 */
function createReadinessReader({ isStopping, database, log, openedChains }: GatewayAppOptions) {
  const chains = openedChains?.all ?? []
  const readChains = createReadyChainsReader(createChainStatusReader(chains))
  return async () => {
    if (isStopping?.() === true) return { status: 'the server is stopping', version }
    const [status, read] = await Promise.all([getDatabaseStatus(database, log), readChains()])
    return { status, version, ...(chains.length > 0 && { chains: read }) }
  }
}

async function getDatabaseStatus(database: Database<Tables>, log: Logger): Promise<string> {
  const problem = await findDatabaseProblem(database.system, log)
  return problem === undefined ? 'ok' : `the database ${problem}`
}
