import { openChains, removeAddress } from '@mintmark/evm-reader'
import {
  createMetrics,
  createServerLog,
  type EnvironmentReader,
  type Job,
  type Listening,
  type Logger,
  listen,
  type MigrationPlan,
  openStorage,
  type RunningJobs,
  type RunningTracing,
  readEnvironment,
  runAs,
  type Storage,
  type StorageOptions,
  serveMetrics,
  startJobs,
  startTracing,
} from '@mintmark/server-kit'
import { createMintChain } from '../chain/mint-chain.ts'
import { createPaymentChains } from '../chain/payment-chains.ts'
import type { GatewayDatabase } from '../database/database.ts'
import { functions } from '../database/functions.ts'
import { migrations, OWNER_TABLES, ROLE, SCHEMA } from '../database/migrations.ts'
import { AUDIT_ENTRIES, createPartitions, EVENTS } from '../database/partitions.ts'
import { addAuditEntries } from '../domains/audit/add-entries.ts'
import { issueCampaigns } from '../domains/cards/campaigns/issue-campaigns.ts'
import { passTimes } from '../domains/events/passed-times.ts'
import { addEventGauges } from '../domains/events/problems.ts'
import { deleteOldEvents } from '../domains/events/retention.ts'
import { sequenceAllChanges } from '../domains/events/sequencer.ts'
import { addStreamGauges, EventStreams } from '../domains/events/stream/event-streams.ts'
import { closeEndedSales } from '../domains/market/ended-sales.ts'
import { deleteUnusedMedia } from '../domains/media/delete-unused.ts'
import { addMintGauges } from '../domains/minting/reservations/gauges.ts'
import { createMintWatcher } from '../domains/minting/watching/watch-mints.ts'
import { addSharedPaymentGauge, logSharedPayments } from '../domains/orders/payments/shared-payments.ts'
import { addOrderGauges, logStuckOrders } from '../domains/orders/verification/gauges.ts'
import { createVerifier, type VerifierOptions } from '../domains/orders/verification/verifier.ts'
import { deleteExpired } from '../domains/people/members-store.ts'
import {
  createAddDeliveries,
  createWebhookDelivery,
  migrateWebhookJobs,
} from '../domains/webhooks/delivering.ts'
import { addWebhookGauges } from '../domains/webhooks/gauges.ts'
import { deleteOldDeliveries } from '../domains/webhooks/retention.ts'
import { toWebhookPort } from '../domains/webhooks/webhook-port.ts'
import { addIndexerGauges } from '../indexer/gauges.ts'
import { createIndexer, type IndexerOptions } from '../indexer/indexer.ts'
import { checkSecretKeys } from '../keys/keys-store.ts'
import { maintainSignaturePartitions } from '../keys/used-signatures.ts'
import { deleteOldResponses, MaintenanceError, runSteps } from '../maintenance/maintenance.ts'
import { createGatewayApp, type GatewayAppOptions } from './app.ts'
import { addTotals, domainOperations, eventSources, findInventory, orderPort } from './composition.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { createNotices } from './notices.ts'
import { type Databases, openDatabases } from './server-databases.ts'

export const gatewaySchema: MigrationPlan = {
  schema: SCHEMA,
  role: ROLE,
  migrations,
  ownerTables: OWNER_TABLES,
  functions,
  migrateCommand: 'mintmark-gateway migrate',
}

export interface RunningGateway {
  url: string
  /** Runs every job now. Resolves when each has completed a run that began after this call. */
  runJobs(): Promise<void>
  /**
   * Stops without failing a call: waits until load balancers and callers have moved on, as SHUTDOWN_DELAY_MS
   * and SHUTDOWN_IDLE_MS say, then closes. `/ready` responds 503 meanwhile.
   */
  shutdown(): Promise<void>
  /** Waits for calls in progress, then closes the database connections. */
  close(): Promise<void>
}

const MAINTENANCE_INTERVAL_MS = 15 * 60_000
const MINT_INTERVAL_MS = 1000
const PASSED_TIME_INTERVAL_MS = 1000
/** How often cards of campaigns are issued that are left. */
const CAMPAIGN_INTERVAL_MS = 1000
/** How often pictures are deleted that nothing names. */
const MEDIA_INTERVAL_MS = 60 * 60_000
/** Half of the time that an event waits on average, from the commit of its change until readers see it. */
const EVENT_INTERVAL_MS = 50

/**
 * Opens the database that the environment configures, with the schemas of the gateway and of its job queue.
 */
export async function openGatewayStorage(
  env: EnvironmentReader,
  options: StorageOptions = {},
): Promise<Storage> {
  return await openStorage(env, gatewaySchema, { ...options, migrateMore: migrateWebhookJobs })
}

/** Options for tests. */
export interface StartOptions extends Pick<VerifierOptions, 'faultPoint'> {
  /** Replaces what the environment configures. */
  configuration?: Partial<Configuration>
  /**
   * The clock of rules, in milliseconds since the epoch; SQL reads the database's. Signatures are checked by
   * the system's clock. Default: `Date.now`.
   */
  clock?: () => number
  indexerFaultPoint?: IndexerOptions['faultPoint']
}

/** Starts a gateway. `gatewaySettings` declares the settings. */
export async function startGateway(
  env: EnvironmentReader = readEnvironment(),
  log: Logger = createServerLog('gateway', env),
  options: StartOptions = {},
): Promise<RunningGateway> {
  const configuration = { ...readConfiguration(env), ...options.configuration }
  const storage = await openGatewayStorage(env, { log })
  const tracing = await startTracing(configuration.tracing, log)
  const databases = openDatabases(storage.databaseUrl, configuration, log, tracing)
  const closers: (() => Promise<void>)[] = [() => databases.close()]
  if (tracing) closers.unshift(() => tracing.close())
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    await checkSecretKeys(databases.calls.system, storage.sealer)
    await runFirstMaintenance(configuration, databases.maintenance, log)
    const services = createServices(configuration, { databases, storage, tracing, log }, options)
    // The jobs of the queue keep the actor that starts them.
    await runAs('job:webhooks', () => services.webhooks.start())
    closers.push(() => services.webhooks.stop())
    const jobOptions = { log, removeSecrets: removeAddress, tracing }
    const jobs = startJobs(listJobs(configuration, databases, services, log), jobOptions)
    closers.push(() => {
      services.indexer.stop()
      return jobs.stop()
    })
    const eventStreams = createEventStreams(configuration, storage, services, log)
    closers.push(() => eventStreams.close())
    const metrics = await serveMetrics(services.metrics, configuration.metrics, log)
    if (metrics) closers.push(() => metrics.close())
    const parts = { databases, storage, services, eventStreams, tracing, log }
    let eventJobs: RunningJobs | undefined
    const listJobStates = () => [...jobs.list(), ...(eventJobs?.list() ?? [])]
    let isStopping = false
    const listening = await serve(configuration, parts, {
      clock: options.clock,
      listJobs: listJobStates,
      isStopping: () => isStopping,
    })
    closers.push(async () => {
      // Streams have no end that the server could wait for.
      await eventStreams.close()
      await listening.close()
    })
    const eventJob = startJobs(
      [createEventJob(configuration, { databases, services, log }, listening.url)],
      jobOptions,
    )
    eventJobs = eventJob
    closers.push(() => eventJob.stop())
    log.info({ url: listening.url }, 'ready')
    // What the other jobs change is reported by events, which are delivered at once.
    const runJobs = async () => {
      await jobs.runAll()
      await eventJob.runAll()
      services.webhooks.wake()
    }
    const shutdown = async () => {
      isStopping = true
      await listening.drain(configuration.shutdown)
      await close()
    }
    return { url: listening.url, runJobs, shutdown, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function runMaintenance(
  { eventRetentionDays }: Pick<Configuration, 'eventRetentionDays'>,
  { pool, system }: GatewayDatabase,
): Promise<void> {
  await runSteps({
    'used signatures': () => maintainSignaturePartitions(pool),
    'partitions of events': () => createPartitions(pool, EVENTS),
    'partitions of the audit log': () => createPartitions(pool, AUDIT_ENTRIES),
    'stored responses': () => deleteOldResponses(pool),
    events: () => deleteOldEvents(pool, eventRetentionDays),
    deliveries: () => deleteOldDeliveries(pool, eventRetentionDays),
    'expired sessions and invitations': () => deleteExpired(system),
  })
}

/** Runs the maintenance before calls are served. What another session locks waits for the job. */
async function runFirstMaintenance(
  configuration: Configuration,
  database: GatewayDatabase,
  log: Logger,
): Promise<void> {
  try {
    await runMaintenance(configuration, database)
  } catch (error) {
    if (!(error instanceof MaintenanceError && error.isTemporary)) throw error
    log.warn({ err: error }, 'the maintenance is incomplete')
  }
}

/** Creates what calls and jobs share, and the metrics of each. */
function createServices(
  configuration: Configuration,
  { databases, storage, tracing, log }: Pick<Parts, 'databases' | 'storage' | 'tracing' | 'log'>,
  { indexerFaultPoint, clock: _, ...verifierOptions }: StartOptions,
) {
  const database = databases.calls
  const metrics = createMetrics('mintmark_gateway', log)
  addOrderGauges(metrics, database)
  addSharedPaymentGauge(metrics, database)
  addMintGauges(metrics, database)
  if (configuration.chains.length === 0) log.warn('CHAINS is not set: nothing can be listed or paid')
  const openedChains = openChains(configuration.chains, tracing)
  const chains = createPaymentChains(openedChains, log)
  const mintChain = createMintChain(openedChains, log)
  const indexer = createIndexer({
    database: databases.indexer,
    chains: openedChains,
    domains: domainOperations,
    settings: configuration.indexer,
    log,
    ...(indexerFaultPoint && { faultPoint: indexerFaultPoint }),
  })
  addIndexerGauges(metrics, databases.indexer, indexer)
  const notices = createNotices(configuration.app.mail, {
    db: databases.webhooks.system,
    // The settings of mails require it.
    publicUrl: configuration.publicUrl ?? '',
    log,
  })
  const webhooks = createWebhookDelivery({
    database: databases.webhooks,
    notices,
    sealer: storage.sealer,
    log,
    tracing,
    allowPrivate: configuration.webhookAllowPrivate,
  })
  addWebhookGauges(metrics, databases.webhooks)
  addEventGauges(metrics, databases.maintenance)
  return {
    metrics,
    openedChains,
    chains,
    mintChain,
    indexer,
    webhooks,
    notices,
    verifier: createVerifier({
      database,
      chains,
      findInventory,
      settings: configuration.orders,
      log,
      ...verifierOptions,
    }),
    mintWatcher: createMintWatcher({ database, chain: mintChain, orders: orderPort, log }),
    closeEndedSales: () =>
      closeEndedSales({ database, chains, orders: orderPort, settings: configuration.orders, log }),
  }
}
type Services = ReturnType<typeof createServices>

function listJobs(
  configuration: Configuration,
  { calls, maintenance }: Databases,
  services: Services,
  log: Logger,
): Job[] {
  const { verifier, mintWatcher, indexer } = services
  return [
    { name: 'orders', everyMs: configuration.orders.checkEveryMs, run: () => verifier.run() },
    { name: 'ended sales', everyMs: configuration.orders.checkEveryMs, run: services.closeEndedSales },
    { name: 'mints', everyMs: MINT_INTERVAL_MS, run: () => mintWatcher.run() },
    { name: 'transfers', everyMs: configuration.indexer.everyMs, run: () => indexer.run() },
    { name: 'passed times', everyMs: PASSED_TIME_INTERVAL_MS, run: () => passTimes(maintenance.system) },
    { name: 'campaigns', everyMs: CAMPAIGN_INTERVAL_MS, run: () => issueCampaigns(maintenance.system) },
    { name: 'stuck orders', everyMs: MAINTENANCE_INTERVAL_MS, run: () => logStuckOrders(calls, log) },
    { name: 'shared payments', everyMs: MAINTENANCE_INTERVAL_MS, run: () => logSharedPayments(calls, log) },
    {
      name: 'maintenance',
      everyMs: MAINTENANCE_INTERVAL_MS,
      run: () => runMaintenance(configuration, maintenance),
    },
    {
      name: 'unused pictures',
      everyMs: MEDIA_INTERVAL_MS,
      run: () => deleteUnusedMedia(maintenance.system, configuration.media.storage, log),
    },
  ]
}

/**
 * Creates the job that numbers events. The records of events contain this server's public URL, which is known
 * once it listens.
 */
function createEventJob(
  configuration: Configuration,
  { databases, services, log }: Pick<Parts, 'databases' | 'services' | 'log'>,
  url: string,
): Job {
  const publicUrl = (configuration.publicUrl ?? url).replace(/\/$/, '')
  const addDeliveries = createAddDeliveries(services.webhooks.enqueue)
  const options = {
    db: databases.events.system,
    sources: eventSources,
    publicUrl,
    log,
    addDeliveries,
    addAuditEntries,
    addTotals,
  }
  const run = async () => {
    const reported = await sequenceAllChanges(options)
    if (reported > 0) services.webhooks.wake()
  }
  return { name: 'events', everyMs: EVENT_INTERVAL_MS, run }
}

/** Creates the streams of events of this process, which connects to the database at once. */
function createEventStreams(
  { eventStreams: settings }: Configuration,
  { databaseUrl: url }: Storage,
  { metrics }: Services,
  log: Logger,
): EventStreams {
  const streams = new EventStreams({ url, log, settings })
  addStreamGauges(metrics, streams)
  return streams
}

interface Parts {
  readonly databases: Databases
  readonly storage: Storage
  readonly services: Services
  readonly eventStreams: EventStreams
  readonly tracing: RunningTracing | undefined
  readonly log: Logger
}

async function serve(
  configuration: Configuration,
  parts: Parts,
  options: Pick<GatewayAppOptions, 'clock' | 'listJobs' | 'isStopping'>,
): Promise<Listening> {
  const { databases, storage, services, eventStreams, tracing, log } = parts
  const { metrics, openedChains, chains, mintChain } = services
  // Returned URLs contain the port, which is known only now if any free port was requested.
  const createApp = (url: string) =>
    createGatewayApp({
      database: databases.calls,
      replica: databases.replica,
      owner: databases.people,
      eventStreams,
      chains,
      mintChain,
      webhooks: toWebhookPort(services.webhooks, services.notices),
      orderSettings: configuration.orders,
      media: configuration.media,
      sealer: storage.sealer,
      log,
      metrics,
      metricsAccess: configuration.metrics,
      publicUrl: configuration.publicUrl ?? url,
      ...options,
      openedChains,
      listUnreadableBlocks: () => services.indexer.unreadableBlocks(),
      tracing,
      ...configuration.app,
    })
  return await listen(createApp, configuration.listen)
}
