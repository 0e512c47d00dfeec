import { resolve } from 'node:path'
import {
  createLog,
  createMetrics,
  dataDirOf,
  type EnvironmentReader,
  environment,
  type Listening,
  type Logger,
  listen,
  type MigrationPlan,
  openChains,
  openDatabase,
  openStorage,
  readDatabaseTimeouts,
  readMaxConnections,
  type Storage,
  startJobs,
} from '@mintmark/server-kit'
import { createGatewayApp, DEFAULT_RATE_LIMIT } from './app.ts'
import { createMintChain } from './chain/mint-chain.ts'
import { createPaymentChains } from './chain/payment-chains.ts'
import { domainOperations, findInventory, orderPort } from './composition.ts'
import { readChains, readOrderSettings, readTimeZone } from './configuration.ts'
import { closeEndedSales } from './domains/market/listings/ended-sales.ts'
import { addMintGauges } from './domains/minting/reservations/gauges.ts'
import { createMintWatcher } from './domains/minting/watching/watch-mints.ts'
import { addOrderGauges } from './domains/orders/verification/gauges.ts'
import { createVerifier, type VerifierOptions } from './domains/orders/verification/verifier.ts'
import { addIndexerGauges } from './indexer/gauges.ts'
import { createIndexer, type IndexerOptions } from './indexer/indexer.ts'
import { readIndexerSettings } from './indexer/indexer-settings.ts'
import { checkSecretKeys } from './keys/keys-store.ts'
import { maintainSignaturePartitions } from './keys/used-signatures.ts'
import { createListChangePruner } from './maintenance/list-change-records.ts'
import { deleteOldResponses } from './maintenance/maintenance.ts'
import { analyzeGrowingTables } from './maintenance/young-tables.ts'
import { functions } from './migrations/functions.ts'
import { migrations, ROLE, SCHEMA } from './migrations/index.ts'
import { listChanges } from './migrations/list-changes.ts'
import type { Tables } from './tables.ts'

export const gatewaySchema: MigrationPlan = {
  schema: SCHEMA,
  role: ROLE,
  migrations,
  functions,
  migrateCommand: 'mintmark-gateway migrate',
}

export interface RunningGateway {
  url: string
  /** Finishes the calls in flight, then lets go of the database. */
  close(): Promise<void>
}

/** Half of the connections, so that one project leaves some to the others. */
function defaultConcurrentCalls(connections: number): number {
  return Math.max(2, Math.floor(connections / 2))
}

const UPKEEP_EVERY_MS = 15 * 60_000
const MINTS_LOOKED_AT_EVERY_MS = 1000
const LIST_CHANGES_PRUNED_EVERY_MS = 60_000
const ANALYZED_EVERY_MS = 5000

/** What a test adds to a server. */
export interface StartOptions extends Pick<VerifierOptions, 'faultPoint'> {
  indexerFaultPoint?: IndexerOptions['faultPoint']
}

/** Starts a gateway as the environment says; see the package's README for the settings. */
export async function startGateway(
  env: EnvironmentReader = environment(),
  log: Logger = createLog('gateway', env.text('LOG_LEVEL')),
  options: StartOptions = {},
): Promise<RunningGateway> {
  const port = env.integer('GATEWAY_PORT', 4000, 0, 65_535)
  const host = env.text('HOST') ?? '127.0.0.1'
  const publicUrl = env.url('PUBLIC_URL')
  const max = env.integer('DATABASE_CONNECTIONS', 20, 1, 1000)
  const timeouts = readDatabaseTimeouts(env)
  const maxConnections = readMaxConnections(env)
  const settings = {
    corsOrigins: env.list('CORS_ORIGINS'),
    storeTimeZone: readTimeZone(env),
    skewSeconds: env.integer('CLOCK_SKEW_SECONDS', 300, 1, 3600),
    rateLimit: {
      perSecond: env.integer('RATE_LIMIT_PER_SECOND', DEFAULT_RATE_LIMIT.perSecond, 1),
      burst: env.integer('RATE_LIMIT_BURST', DEFAULT_RATE_LIMIT.burst, 1),
    },
    concurrentCalls: env.integer('CONCURRENT_CALLS_PER_PROJECT', defaultConcurrentCalls(max), 1, 10_000),
    trustedProxyHops: env.integer('TRUSTED_PROXY_HOPS', 0, 0, 10),
  }
  const chainConfigs = readChains(env)
  const orderSettings = readOrderSettings(env)
  const indexerSettings = readIndexerSettings(env)
  const storage: Storage = await openStorage(env, gatewaySchema, { log })
  const url = storage.databaseUrl
  const applicationName = 'mintmark-gateway'
  const database = openDatabase<Tables>({ url, role: ROLE, max, listChanges, applicationName, ...timeouts })
  // Partitions are the owner's to make, and what a chain says concerns every project; everything else runs under the role. Both may take
  // longer than a call: their statements have no timeout.
  const owner = openDatabase<Tables>({ url, max: 1, applicationName: 'mintmark-gateway-upkeep' })
  const indexing = openDatabase<Tables>({ url, max: 2, applicationName: 'mintmark-gateway-indexer' })
  const closers: (() => Promise<void>)[] = [
    () => storage.close(),
    () => owner.close(),
    () => indexing.close(),
    () => database.close(),
  ]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    await checkSecretKeys(database.system, storage.sealer)
    const upkeep = async () => {
      await maintainSignaturePartitions(owner.pool)
      await deleteOldResponses(owner.pool)
    }
    await upkeep()
    const timer = setInterval(() => {
      upkeep().catch((error: unknown) => log.error({ err: error }, 'upkeep failed'))
    }, UPKEEP_EVERY_MS)
    closers.push(async () => clearInterval(timer))
    const metrics = createMetrics('mintmark_gateway')
    addOrderGauges(metrics, database, log)
    addMintGauges(metrics, database, log)
    const readable = openChains(chainConfigs)
    const chains = createPaymentChains(readable, log)
    const mintChain = createMintChain(readable, log)
    if (chainConfigs.length === 0) log.warn('CHAINS is not set: nothing can be put on the shelf or paid')
    const verifier = createVerifier({
      ...{ database, chains, findInventory, settings: orderSettings, log },
      ...(options.faultPoint && { faultPoint: options.faultPoint }),
    })
    const mintWatcher = createMintWatcher({ database, chain: mintChain, orders: orderPort, log })
    const indexer = createIndexer({
      ...{ database: indexing, chains: readable, domains: domainOperations, settings: indexerSettings, log },
      ...(options.indexerFaultPoint && { faultPoint: options.indexerFaultPoint }),
    })
    addIndexerGauges(metrics, indexing, indexer, log)
    const jobs = startJobs(
      [
        { name: 'orders', everyMs: orderSettings.checkEveryMs, run: () => verifier.run() },
        {
          name: 'ended sales',
          everyMs: orderSettings.checkEveryMs,
          run: () => closeEndedSales({ database, chains, orders: orderPort, settings: orderSettings, log }),
        },
        { name: 'mints', everyMs: MINTS_LOOKED_AT_EVERY_MS, run: () => mintWatcher.run() },
        { name: 'transfers', everyMs: indexerSettings.everyMs, run: () => indexer.run() },
        {
          name: 'list changes',
          everyMs: LIST_CHANGES_PRUNED_EVERY_MS,
          run: createListChangePruner(owner.pool),
        },
        { name: 'young tables', everyMs: ANALYZED_EVERY_MS, run: () => analyzeGrowingTables(owner.pool) },
      ],
      log,
    )
    closers.push(() => {
      indexer.stop()
      return jobs.stop()
    })
    // Addresses that it hands out hold the port, which is known by now also where any was taken.
    const appAt = (reached: string) =>
      createGatewayApp({
        database,
        chains,
        mintChain,
        orderSettings,
        sealer: storage.sealer,
        log,
        metrics,
        publicUrl: publicUrl?.href ?? reached,
        ...settings,
      })
    const listening: Listening = await listen(appAt, { port, host, maxConnections })
    closers.push(() => listening.close())
    log.info({ url: listening.url, dataDir: storage.embedded ? resolve(dataDirOf(env)) : undefined }, 'ready')
    return { url: listening.url, close }
  } catch (error) {
    await close()
    throw error
  }
}
