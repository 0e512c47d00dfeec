import { ConfigurationError, type Database, type Logger, type Route, type Sealer } from '@mintmark/server-kit'
import type { PgBoss } from 'pg-boss'
import type { FacilitatorContext } from '../context.ts'
import type { Enqueue } from '../events/record-event.ts'
import { facilitatorSchema } from '../migrations/index.ts'
import type { Tables } from '../tables.ts'
import { type AttemptOptions, makeAttempt } from './attempt.ts'
import { type RunningQueue, runDeliveryQueue } from './delivery-queue.ts'
import { networkResolver, type Resolve, systemResolver } from './destination.ts'
import { deliveryQueues, openJobs, readEnqueue } from './jobs.ts'
import { webhookRoutes } from './routes.ts'

export { migrateJobs } from './jobs.ts'

export interface WebhookOptions {
  readonly database: Database<Tables>
  readonly sealer: Sealer
  readonly log: Logger
  /** For development: also accepts http, loopback and private networks. Default false. */
  readonly allowPrivate?: boolean
  /** Whether this process delivers. A command only records events. Default true. */
  readonly deliver?: boolean
  /** How host names are resolved, when a webhook is configured and for each connection. */
  readonly resolve?: Resolve
  /** Milliseconds that a receiver may take to respond. Default 15,000. */
  readonly timeoutMs?: number
  /** Seconds from each failure of a delivery to its next attempt. */
  readonly retryAfterSeconds?: readonly number[]
  /** Seconds of failures after which a webhook is disabled. Default five days. */
  readonly disableAfterSeconds?: number
  /** Milliseconds between two searches for due attempts. Default 500. */
  readonly pollMs?: number
  /** Seconds after which an attempt counts as lost with its process. Default 60. */
  readonly expireSeconds?: number
  /** Seconds between two searches for lost attempts. Default 15. */
  readonly superviseSeconds?: number
  readonly now?: () => number
}

/** The delivery of events to the webhooks of their accounts. */
export interface Webhooks {
  /** How the events of a change are delivered. Requires that `start` has ended. */
  readonly enqueue: Enqueue
  readonly routes: readonly Route<FacilitatorContext>[]
  /** Opens the job queue, whose schema `migrateJobs` created, and starts delivering. */
  start(): Promise<void>
  /** Starts no more attempts and waits for the ones in progress, at most as long as a receiver may take. */
  stop(): Promise<void>
}

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds from each failure to the next attempt: eight attempts within 28 hours. */
const RETRY_AFTER_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
]
const FIVE_DAYS = 5 * 24 * HOUR

/** Builds the webhooks on a migrated database. */
export function createWebhooks(options: WebhookOptions): Webhooks {
  const { database, sealer, log, allowPrivate = false, timeoutMs = 15_000, pollMs = 500 } = options
  const jobTimes = {
    expireSeconds: options.expireSeconds ?? 60,
    superviseSeconds: options.superviseSeconds ?? 15,
  }
  if (jobTimes.expireSeconds * 1000 <= timeoutMs) {
    throw new RangeError('expireSeconds must be longer than timeoutMs')
  }
  const destinations = {
    allowPrivate,
    resolve: options.resolve ?? (allowPrivate ? systemResolver : networkResolver()),
  }
  const boss = openJobs(database.pool, jobTimes, log)
  const attempts: AttemptOptions = {
    ...destinations,
    db: database.system,
    boss,
    sealer,
    timeoutMs,
    retryAfterSeconds: options.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    disableAfterSeconds: options.disableAfterSeconds ?? FIVE_DAYS,
    jobTimes,
    now: options.now ?? Date.now,
    log,
  }
  let queues: RunningQueue[] = []
  let enqueue: Enqueue | undefined

  return {
    get enqueue() {
      if (enqueue === undefined) throw new Error('The webhooks have not started')
      return enqueue
    },
    routes: webhookRoutes({ boss, sealer, destinations, jobTimes }),
    async start() {
      await startJobQueue(boss)
      enqueue = await readEnqueue(boss, jobTimes)
      if (options.deliver === false) return
      queues = Object.values(deliveryQueues).map((queue) =>
        runDeliveryQueue({
          boss,
          queue,
          pollMs,
          log,
          perform: (job, name) => makeAttempt(attempts, job, name),
        }),
      )
    },
    async stop() {
      await Promise.all(queues.map((queue) => queue.stop()))
      queues = []
      // The connections belong to the database, which stays open.
      await boss.stop({ close: false })
    },
  }
}

async function startJobQueue(boss: PgBoss): Promise<void> {
  if (!(await boss.isInstalled())) {
    throw new ConfigurationError(
      `The database lacks the schema of the job queue. Run \`${facilitatorSchema.migrateCommand}\` first`,
    )
  }
  try {
    await boss.start()
  } catch (error) {
    // The queue may be partly started.
    await boss.stop({ graceful: false, close: false })
    throw error
  }
}
