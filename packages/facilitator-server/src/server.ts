import {
  createLog,
  createMetrics,
  type EnvironmentReader,
  environment,
  type Logger,
  listen,
  openDatabase,
  openStorage,
  startJobs,
} from '@mintmark/server-kit'
import { createFacilitatorApp } from './app.ts'
import { readConfiguration } from './configuration.ts'
import { createDepositWatch } from './chains/evm/deposits/deposit-watch.ts'
import { addGauges } from './gauges.ts'
import { creditDeposit, reverseDeposit } from './ledger/deposits/deposits.ts'
import { facilitatorSchema } from './migrations/index.ts'
import { createPaymentsEngine } from './payments-engine.ts'
import { createQuotaSignatures } from './quotas/quota-signature.ts'
import { defaultLowBalance } from './payments/engine-options.ts'
import type { FaultHook } from './payments/fault-points.ts'
import type { Tables } from './tables.ts'
import { createWebhooks, migrateJobs } from './webhooks/index.ts'

export interface RunningFacilitator {
  url: string
  /** Finishes the calls and settles in flight, then lets go of the database. */
  close(): Promise<void>
}

/** What a test adds to a server. */
export interface StartOptions {
  /** Called between the steps of settles and reconciliations, where the process may end. */
  faultPoint?: FaultHook
}

/** Starts a facilitator as the environment says; see the package's README for the settings. */
export async function startFacilitator(
  env: EnvironmentReader = environment(),
  log: Logger = createLog('facilitator', env.text('LOG_LEVEL')),
  options: StartOptions = {},
): Promise<RunningFacilitator> {
  const config = readConfiguration(env)
  const { port, host } = config
  const storage = await openStorage(env, facilitatorSchema, { migrateMore: migrateJobs, log })
  const database = openDatabase<Tables>({
    url: storage.databaseUrl,
    role: facilitatorSchema.role,
    max: config.connections,
    applicationName: 'mintmark-facilitator',
    ...config.databaseTimeouts,
  })
  const closers: (() => Promise<void>)[] = [() => storage.close(), () => database.close()]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const metrics = createMetrics('mintmark_facilitator')
    const webhooks = createWebhooks({
      database,
      sealer: storage.sealer,
      log,
      allowPrivate: config.webhookAllowPrivate,
    })
    await webhooks.start()
    closers.push(() => webhooks.stop())
    const { enqueue } = webhooks
    const payments = createPaymentsEngine(config, database.system, log, { enqueue, ...options })
    const { engine, chains, builtIn } = payments
    const treasuryChain = chains.byId(config.treasuryChain)
    addGauges(metrics, { database, payments, config, log })
    const domain = {
      name: 'Mintmark Facilitator',
      version: '1',
      chainId: config.treasuryChain,
      verifyingContract: config.treasury,
    }
    const app = await createFacilitatorApp({
      database,
      engine,
      networks: payments.networks,
      supported: payments.supported,
      quotaSignatures: createQuotaSignatures(
        { domain, facilitator: config.facilitatorAddress },
        treasuryChain?.client,
      ),
      webhookRoutes: webhooks.routes,
      enqueue,
      log,
      metrics,
      publicUrl:
        config.publicUrl?.href.replace(/\/$/, '') ??
        `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`,
      corsOrigins: config.corsOrigins,
      rateLimit: config.rateLimit,
      trustedProxyHops: config.trustedProxyHops,
    })
    closers.push(() => engine.drain())
    const deposits =
      treasuryChain &&
      createDepositWatch({
        db: database.system,
        chain: treasuryChain,
        treasury: config.treasury,
        fromBlock: config.treasuryFromBlock,
        credit: (deposit) => creditDeposit(database.system, deposit, enqueue),
        lost: (deposit) =>
          reverseDeposit(database.system, deposit, { lowBalance: defaultLowBalance(config.price), enqueue }),
        log: {
          warn: (fields, message) => log.warn(fields, message),
          error: (fields, message) => log.error(fields, message),
        },
      })
    if (deposits === undefined) log.warn('TREASURY_CHAIN is not among CHAINS: deposits are not seen')
    const jobs = startJobs(
      [
        { name: 'reconcile', everyMs: 1000, run: () => engine.reconcile() },
        ...(builtIn ? [{ name: 'tend', everyMs: 2000, run: () => builtIn.tend() }] : []),
        ...(deposits ? [{ name: 'deposits', everyMs: 2000, run: () => deposits.poll() }] : []),
      ],
      log,
    )
    closers.push(() => jobs.stop())
    const listening = await listen(app, { port, host, maxConnections: config.maxConnections })
    closers.push(() => listening.close())
    log.info({ url: listening.url, networks: [...payments.networks] }, 'ready')
    return { url: listening.url, close }
  } catch (error) {
    await close()
    throw error
  }
}
