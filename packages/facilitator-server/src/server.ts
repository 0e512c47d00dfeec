import { removeAddress } from '@mintmark/evm-reader'
import {
  createMetrics,
  createServerLog,
  type Database,
  type EnvironmentReader,
  type Job,
  type JobState,
  type Logger,
  listen,
  openDatabase,
  openStorage,
  type RunningJobs,
  type RunningTracing,
  readEnvironment,
  type Storage,
  serveMetrics,
  startJobs,
  startTracing,
} from '@mintmark/server-kit'
import { createFacilitatorApp } from './app.ts'
import { publishListings } from './catalog/publish.ts'
import { deleteUnpaidEntries } from './catalog/retention.ts'
import type { DepositWatch } from './chains/evm/deposits/deposit-watch.ts'
import { recordHeads } from './chains/evm/heads/heads.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { createConfiguredDepositWatch } from './configured-deposits.ts'
import { facilitatorSchema } from './database/schema.ts'
import type { Tables } from './database/tables.ts'
import type { FaultHook } from './engine/settings/fault-points.ts'
import type { OperatorPort } from './http/operator/operator-context.ts'
import { deleteCallerAddresses } from './ledger/accounts/openings.ts'
import { addTotalChanges } from './ledger/orders/account-totals.ts'
import { runAudit } from './operations/audit/audit.ts'
import { createTreasuryMonitor } from './operations/audit/treasury-monitor.ts'
import { addGauges, createAlertJob, type GaugeParts } from './operations/gauges.ts'
import { createLedgerChecker } from './operations/ledger-checker.ts'
import { createHealthReader } from './operations/read-health.ts'
import { createPaymentsEngine, type PaymentsEngine, toEngineLog } from './payments-engine.ts'
import { openScreening, type Screening } from './screening/screening.ts'
import { createWebhooks, migrateJobs, type Webhooks } from './webhooks/index.ts'
import { deleteOldDeliveries } from './webhooks/retention.ts'

export interface RunningFacilitator {
  url: string
  /** Runs every job now. Resolves when each has completed a run that began after this call. */
  runJobs(): Promise<void>
  /**
   * Stops without failing a call: waits until load balancers and callers have moved on, as SHUTDOWN_DELAY_MS
   * and SHUTDOWN_IDLE_MS say, then closes. `/ready` responds 503 meanwhile.
   */
  shutdown(): Promise<void>
  /** Waits for the requests and settles in progress, then closes the database. */
  close(): Promise<void>
}

/** What a test adds to a server. */
export interface StartOptions {
  /** Replaces what the environment configures. */
  configuration?: Partial<Configuration>
  /** Called between the steps of settles and reconciliations, where the process may end. */
  faultPoint?: FaultHook
  /**
   * The clock of payments' times, in milliseconds since the epoch; SQL reads the database's. Default:
   * `Date.now`.
   */
  clock?: () => number
}

const AUDIT_CONNECTIONS = 1
const OWNER_CONNECTIONS = 1

/** The connections of a process in addition to DATABASE_CONNECTIONS. The last one is for short reads. */
export const OTHER_CONNECTIONS = AUDIT_CONNECTIONS + OWNER_CONNECTIONS + 1

/** The time of a settle in addition to that of its upstream. Its response must not be lost by a restart. */
const SETTLE_MARGIN_MS = 10_000

/** Functions that close the parts of a server, in the order in which the parts were opened. */
type Closers = (() => Promise<void>)[]

/** What the parts of a server share. */
interface ServerParts extends GaugeParts {
  readonly config: Configuration
  readonly payments: PaymentsEngine
  readonly tracing: RunningTracing | undefined
  readonly webhooks: Webhooks
  readonly screening: Screening | undefined
}

/** Starts a facilitator with the settings of the environment, which `facilitatorSettings` declares. */
export async function startFacilitator(
  env: EnvironmentReader = readEnvironment(),
  log: Logger = createServerLog('facilitator', env),
  options: StartOptions = {},
): Promise<RunningFacilitator> {
  const config = { ...readConfiguration(env), ...options.configuration }
  const storage = await openStorage(env, facilitatorSchema, { migrateMore: migrateJobs, log })
  const closers: Closers = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const { drain, ...started } = await startServer({ config, storage, log, options }, closers)
    const shutdown = async () => {
      await drain()
      await close()
    }
    return { ...started, shutdown, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startServer(
  inputs: { config: Configuration; storage: Storage; log: Logger; options: StartOptions },
  closers: Closers,
): Promise<Pick<RunningFacilitator, 'url' | 'runJobs'> & { drain(): Promise<void> }> {
  const { config, storage, log, options } = inputs
  const tracing = await startTracing(config.tracing, log)
  if (tracing) closers.push(() => tracing.close())
  const database = openDatabase<Tables>({
    url: storage.databaseUrl,
    role: facilitatorSchema.role,
    max: config.connections,
    applicationName: 'mintmark-facilitator',
    tracing,
    ...config.databaseTimeouts,
  })
  closers.push(() => database.close())
  const metrics = createMetrics('mintmark_facilitator', log, config.metricsCacheMs)
  const { sealer } = storage
  const webhooks = createWebhooks({
    database,
    sealer,
    log,
    tracing,
    allowPrivate: config.webhookAllowPrivate,
  })
  await webhooks.start()
  closers.push(() => webhooks.stop())
  const { enqueue } = webhooks
  const screening = await openScreening(config.screening, {
    log,
    count: metrics.counter('screenings_total', 'Screened payments, by outcome', 'outcome'),
  })
  const payments = createPaymentsEngine(config, database.system, log, {
    enqueue,
    tracing,
    screening,
    ...options,
  })
  const { treasury, treasurySurplus: surplus } = config
  const treasuryChain = payments.chains.byId(config.treasuryChain)
  const parts: ServerParts = {
    config,
    log,
    database,
    payments,
    webhooks,
    screening,
    tracing,
    readChainStatus: payments.readChainStatus,
    getScreeningProblem: () => screening?.list?.problem,
    treasuryMonitor:
      treasuryChain &&
      createTreasuryMonitor({ db: database.system, chain: treasuryChain, address: treasury, surplus }),
  }
  addGauges(metrics, parts)
  // An audit reads whole tables, so that its statements have no time limit. It must not wait for a connection
  // of the calls.
  const auditDatabase = openDatabase<Tables>({
    url: storage.databaseUrl,
    role: facilitatorSchema.role,
    max: AUDIT_CONNECTIONS,
    applicationName: 'mintmark-facilitator-audit',
    tracing,
  })
  closers.push(() => auditDatabase.close())
  const owner = openOwnerDatabase(storage.databaseUrl, parts)
  closers.push(() => owner.close())
  const running: { jobs?: RunningJobs } = {}
  const operator = createOperatorPort(parts, { auditDatabase, owner }, () => running.jobs?.list() ?? [])
  let isStopping = false
  const app = await createFacilitatorApp({ ...parts, metrics, operator, isStopping: () => isStopping })
  closers.push(() => payments.engine.drain())
  const jobs = startServerJobs(parts, auditDatabase)
  running.jobs = jobs
  closers.push(() => jobs.stop())
  const metricsListening = await serveMetrics(metrics, config.metrics, log)
  if (metricsListening) closers.push(() => metricsListening.close())
  const { port, host, maxConnections } = config
  const listening = await listen(app, { port, host, maxConnections })
  closers.push(() => listening.close(config.upstreamTimeout + SETTLE_MARGIN_MS))
  // Before the server waits for its calls.
  closers.push(async () => payments.engine.stopWaits())
  log.info({ url: listening.url, networks: [...payments.served.networks] }, 'ready')
  const runJobs = async () => {
    await jobs.runAll()
    webhooks.wake()
  }
  const drain = async () => {
    isStopping = true
    await listening.drain(config.shutdown)
  }
  return { url: listening.url, runJobs, drain }
}

/**
 * Opens a connection of the schema's owner, who may read and end sessions. It does not wait for those of the
 * calls, which a lock may occupy.
 */
function openOwnerDatabase(url: string, { config, tracing }: ServerParts): Database<Tables> {
  const { idleInTransactionTimeoutMs } = config.databaseTimeouts
  return openDatabase<Tables>({
    url,
    max: OWNER_CONNECTIONS,
    applicationName: 'mintmark-facilitator-operator',
    idleInTransactionTimeoutMs,
    tracing,
  })
}

function createOperatorPort(
  parts: ServerParts,
  { auditDatabase, owner }: Readonly<Record<'auditDatabase' | 'owner', Database<Tables>>>,
  listJobs: () => readonly JobState[],
): OperatorPort {
  const { config, database, payments, webhooks } = parts
  const chain = payments.chains.byId(config.treasuryChain)
  return {
    config,
    payments,
    db: database.system,
    owner: owner.system,
    enqueue: webhooks.enqueue,
    checkLedger: createLedgerChecker(auditDatabase.system, {
      chain,
      address: config.treasury,
      surplus: config.treasurySurplus,
    }),
    readHealth: createHealthReader(parts, owner, listJobs),
  }
}

const ALERT_INTERVAL_MS = 60_000
const RETENTION_INTERVAL_MS = 3_600_000
const SCREENING_INTERVAL_MS = 5000

function startServerJobs(parts: ServerParts, auditDatabase: Database<Tables>) {
  const { config, treasuryMonitor } = parts
  const deposits = watchDeposits(parts)
  const list = parts.screening?.list
  const treasuryEveryMs = config.treasuryCheckSeconds * 1000
  return startJobs(
    [
      ...listReconcileJobs(parts.payments),
      {
        name: 'catalog',
        everyMs: 1000,
        run: async () => void (await publishListings(parts.database.system, { log: toEngineLog(parts.log) })),
      },
      {
        name: 'totals',
        everyMs: 5000,
        run: () => addTotalChanges(parts.database.system),
      },
      {
        name: 'heads',
        everyMs: 10_000,
        run: () => recordHeads(parts.database.system, parts.payments.chains),
      },
      ...listSweepJobs(parts.payments),
      ...(list ? [{ name: 'screening', everyMs: SCREENING_INTERVAL_MS, run: list.reload }] : []),
      ...(deposits ? [{ name: 'deposits', everyMs: 2000, run: () => deposits.poll() }] : []),
      ...(treasuryMonitor
        ? [{ name: 'treasury', everyMs: treasuryEveryMs, run: () => treasuryMonitor.run() }]
        : []),
      { name: 'alerts', everyMs: ALERT_INTERVAL_MS, run: createAlertJob(parts) },
      {
        name: 'retention',
        everyMs: RETENTION_INTERVAL_MS,
        run: async () => {
          await deleteCallerAddresses(parts.database.system)
          await deleteOldDeliveries(parts.database.system, config.deliveryRetentionDays)
        },
      },
      {
        name: 'catalog-retention',
        everyMs: RETENTION_INTERVAL_MS,
        run: async () =>
          void (await deleteUnpaidEntries(parts.database.system, config.discoveryRetentionDays)),
      },
      ...listAuditJobs(parts, auditDatabase),
    ],
    { log: parts.log, removeSecrets: removeAddress, tracing: parts.tracing },
  )
}

/** Lists a job for each network: one whose nodes do not respond must not delay the others. */
function listSweepJobs({ builtIn, chains, svm }: PaymentsEngine): Job[] {
  const listJobs = (networks: Iterable<string>, sweep: (network: string) => Promise<unknown>): Job[] =>
    [...networks].map((network) => ({
      name: `sweep ${network}`,
      everyMs: 2000,
      run: () => sweep(network),
    }))
  const evm = chains.all.map(({ network }) => network)
  return [
    ...(builtIn ? listJobs(evm, builtIn.sweep) : []),
    ...(svm ? listJobs(svm.networks, svm.upstream.sweep) : []),
  ]
}

/** Lists a job for each network, as `listSweepJobs` does. */
const listReconcileJobs = ({ engine, served }: PaymentsEngine): Job[] =>
  [...served.networks].map((network) => ({
    name: `reconcile ${network}`,
    everyMs: 1000,
    run: () => engine.reconcile(network),
  }))

/** How often a process checks whether the audit is due. One process runs it for all. */
const AUDIT_CHECK_MS = 60_000

function listAuditJobs({ config, payments, log }: ServerParts, database: Database<Tables>): Job[] {
  const { auditIntervalSeconds } = config
  if (auditIntervalSeconds === 0) return []
  const options = {
    db: database.system,
    chains: payments.chains.all,
    signers: payments.builtIn?.signers ?? [],
    assets: config.allowedAssets,
    treasury: {
      chain: payments.chains.byId(config.treasuryChain),
      address: config.treasury,
      surplus: config.treasurySurplus,
    },
    log: toEngineLog(log),
  }
  const everyMs = Math.min(AUDIT_CHECK_MS, auditIntervalSeconds * 1000)
  return [{ name: 'audit', everyMs, run: () => runAudit(options, auditIntervalSeconds) }]
}

function watchDeposits({ config, log, database, payments, webhooks }: ServerParts): DepositWatch | undefined {
  const chain = payments.chains.byId(config.treasuryChain)
  if (chain === undefined) {
    log.warn('TREASURY_CHAIN is not among CHAINS, so deposits are not credited')
    return undefined
  }
  return createConfiguredDepositWatch({
    db: database.system,
    config,
    chain,
    enqueue: webhooks.enqueue,
    log: toEngineLog(log),
  })
}
