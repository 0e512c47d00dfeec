import type { Database, Logger, Sealer, Tracing } from '@mintmark/server-kit'
import { ConfigurationError } from '@mintmark/server-kit'
import type { PgBoss } from 'pg-boss'
import { type AttemptOptions, type DeliverySource, makeAttempt } from './attempt.ts'
import { type RunningQueue, runDeliveryQueue } from './delivery-queue.ts'
import { DeliveryStore } from './delivery-store.ts'
import { type DestinationRules, networkResolver, type Resolve, systemResolver } from './destination.ts'
import { deliveryQueues, openJobs, readEnqueue } from './jobs.ts'
import type { Enqueue, WebhookSchema } from './schema.ts'
import { WebhookStore } from './webhook-store.ts'

/** The settings of webhooks that servers and tests change. */
export interface WebhookSettings {
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

export interface DeliveringOptions<DB, EventRow> extends WebhookSettings, DeliverySource<DB, EventRow> {
  readonly names: WebhookSchema
  /** Connections that see the webhooks of all owners. */
  readonly database: Database<DB>
  readonly sealer: Sealer
  readonly log: Logger
  /** Records a span for each attempt. */
  readonly tracing?: Tracing | undefined
  /** The value of the header `user-agent`. */
  readonly userAgent: string
}

/** The delivery of events to webhooks. */
export interface Delivering {
  /** How deliveries become jobs. Requires that `start` has ended. */
  readonly enqueue: Enqueue
  readonly deliveries: DeliveryStore
  readonly webhooks: WebhookStore
  /** The rules for URLs of webhooks. */
  readonly destinations: DestinationRules
  /** Opens the job queue, whose schema `migrateJobs` created, and starts delivering. */
  start(): Promise<void>
  /**
   * Searches for due attempts now, because this process has added some. Other processes search when they
   * poll.
   */
  wake(): void
  /** Starts no more attempts and waits for the ones in progress, at most as long as a receiver may take. */
  stop(): Promise<void>
}

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds from each failure to the next attempt: ten attempts within 28 hours. */
const RETRY_AFTER_SECONDS: readonly number[] = [
  5,
  30,
  2 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
]
const FIVE_DAYS = 5 * 24 * HOUR

/** Builds the delivery of events on a migrated database. */
export function createDelivering<DB, EventRow>(options: DeliveringOptions<DB, EventRow>): Delivering {
  const { database, names, sealer, log, allowPrivate = false, timeoutMs = 15_000, pollMs = 500 } = options
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
  const boss = openJobs(database.pool, names.jobSchema, jobTimes, log)
  const deliveries = new DeliveryStore(names)
  const webhooks = new WebhookStore(names, sealer)
  let queues: RunningQueue[] = []
  let enqueue: Enqueue | undefined

  return {
    deliveries,
    webhooks,
    destinations,
    get enqueue() {
      if (enqueue === undefined) throw new Error('The webhooks have not started')
      return enqueue
    },
    async start() {
      await startJobQueue(boss, names.migrateCommand)
      enqueue = await readEnqueue(boss, jobTimes)
      if (options.deliver === false) return
      const attempts: AttemptOptions<DB, EventRow> = {
        ...options,
        ...destinations,
        db: database.system,
        boss,
        deliveries,
        webhooks,
        enqueue,
        timeoutMs,
        retryAfterSeconds: options.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
        disableAfterSeconds: options.disableAfterSeconds ?? FIVE_DAYS,
        now: options.now ?? Date.now,
      }
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
    wake() {
      for (const queue of queues) queue.wake()
    },
    async stop() {
      await Promise.all(queues.map((queue) => queue.stop()))
      queues = []
      // The connections belong to the database, which stays open.
      await boss.stop({ close: false })
    },
  }
}

async function startJobQueue(boss: PgBoss, migrateCommand: string): Promise<void> {
  if (!(await boss.isInstalled())) {
    throw new ConfigurationError(
      `The database lacks the schema of the job queue. Run \`${migrateCommand}\` first`,
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
