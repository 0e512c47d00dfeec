import { ConfigurationError, type Database, type Logger, type Route, type Sealer } from '@mintmark/server-kit'
import type { FacilitatorContext } from '../context.ts'
import type { Enqueue } from '../events/record-event.ts'
import { facilitatorSchema } from '../migrations/index.ts'
import type { Tables } from '../tables.ts'
import { type AttemptOptions, makeAttempt } from './attempt.ts'
import { addDeliveries } from './delivery-store.ts'
import { networkResolver, type Resolve, systemResolver } from './destination.ts'
import { lanes, openJobs, planAttempts } from './jobs.ts'
import { webhookRoutes } from './routes.ts'
import { type WorkingLane, workLane } from './delivery-queue.ts'

export { migrateJobs } from './jobs.ts'

export interface WebhookOptions {
  readonly database: Database<Tables>
  readonly sealer: Sealer
  readonly log: Logger
  /** Development: http, loopback and private networks are taken as well. Default false. */
  readonly allowPrivate?: boolean
  /** Whether this process sends; a command that only records events does not. Default true. */
  readonly deliver?: boolean
  /** How host names are resolved, when a webhook is configured and for each connection. */
  readonly resolve?: Resolve
  /** How long a receiver may take to answer, in milliseconds; default 15,000. */
  readonly timeoutMs?: number
  /** Seconds from each failure of a delivery to its next attempt. */
  readonly retryAfterSeconds?: readonly number[]
  /** After how many seconds of failures a webhook is disabled; default five days. */
  readonly disableAfterSeconds?: number
  /** How often due attempts are looked for, in milliseconds; default 500. */
  readonly pollMs?: number
  /** After how many seconds an attempt counts as lost with its process; default 60. */
  readonly expireSeconds?: number
  /** How often lost attempts are looked for, in seconds; default 15. */
  readonly superviseSeconds?: number
  readonly now?: () => number
}

/** Events on their way to the webhooks of their accounts. */
export interface Webhooks {
  /** For `recordEvents`: puts deliveries and their jobs into its transaction. `start` must have ended. */
  readonly enqueue: Enqueue
  readonly routes: readonly Route<FacilitatorContext>[]
  /** Opens the job queue, whose schema `migrateJobs` has made, and begins to send. */
  start(): Promise<void>
  /** Begins no more attempts and waits for those under way, at most as long as a receiver may take. */
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
    throw new RangeError('an attempt must not count as lost while its receiver may still answer')
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
  let working: WorkingLane[] = []

  return {
    async enqueue(trx, events) {
      const planned = await addDeliveries(trx, events)
      await planAttempts(boss, trx, planned, jobTimes)
    },
    routes: webhookRoutes({ boss, sealer, destinations, jobTimes }),
    async start() {
      if (!(await boss.isInstalled())) {
        throw new ConfigurationError(
          `The database lacks the job queue's schema: run \`${facilitatorSchema.migrateCommand}\` first.`,
        )
      }
      try {
        await boss.start()
      } catch (error) {
        // Half of it may run.
        await boss.stop({ graceful: false, close: false })
        throw error
      }
      if (options.deliver === false) return
      working = Object.values(lanes).map((lane) =>
        workLane({ boss, lane, pollMs, log, perform: (job, queue) => makeAttempt(attempts, job, queue) }),
      )
    },
    async stop() {
      await Promise.all(working.map((lane) => lane.stop()))
      working = []
      // The connections are the database's, which outlives this.
      await boss.stop({ close: false })
    },
  }
}
