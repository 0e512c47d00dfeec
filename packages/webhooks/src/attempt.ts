import { type Logger, type Tracing, transaction } from '@mintmark/server-kit'
import type { Kysely, Transaction } from 'kysely'
import { fromKysely, type Job, type PgBoss } from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import type { AttemptJob, AttemptOutcome, DeliveryStore, DueDelivery } from './delivery-store.ts'
import { deliveryQueues } from './jobs.ts'
import { type PostOptions, type PostOutcome, post } from './post.ts'
import type { Enqueue } from './schema.ts'
import { traceWebhook } from './trace-webhook.ts'
import type { WebhookStore } from './webhook-store.ts'

/** The message of an event: the same bytes in each attempt and for each webhook. */
export interface WebhookMessage {
  /** Identifies the event for its receivers. */
  readonly id: string
  readonly body: string
}

/** What servers do differently with deliveries. `EventRow` has the columns of the server's events. */
export interface DeliverySource<DB, EventRow> {
  /** Creates the message of a delivery. `event` is undefined for a test message. */
  createMessage(due: DueDelivery, event: EventRow | undefined): WebhookMessage
  /** Mails an event to the address in the URL of a webhook. Default: no server has such webhooks. */
  mail?(due: DueDelivery, event: EventRow | undefined): Promise<PostOutcome>
  /** Reports that a webhook was disabled because it failed for too long, in the same transaction. */
  reportDisabled?(trx: Transaction<DB>, due: DueDelivery, enqueue: Enqueue): Promise<void>
}

export interface AttemptOptions<DB, EventRow> extends PostOptions, DeliverySource<DB, EventRow> {
  readonly db: Kysely<DB>
  readonly boss: PgBoss
  readonly deliveries: DeliveryStore
  readonly webhooks: WebhookStore
  readonly enqueue: Enqueue
  /** Seconds from each failure to the next attempt. After the last one, the delivery has failed. */
  readonly retryAfterSeconds: readonly number[]
  /** Seconds of failures without a success after which a webhook is disabled. */
  readonly disableAfterSeconds: number
  /** Returns milliseconds since the epoch, for the signed time. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly tracing?: Tracing | undefined
}

/**
 * Makes the attempt of a job. The result, the job of the next attempt and the completion of this job are
 * committed together. If the process dies before the commit, another process repeats the job and sends the
 * message again.
 */
export async function makeAttempt<DB, EventRow>(
  options: AttemptOptions<DB, EventRow>,
  job: Job<AttemptJob>,
  queue: string,
): Promise<void> {
  const { db, boss, deliveries, log } = options
  const due = await deliveries.findDue<EventRow>(db, job.data)
  if (due === undefined) {
    await boss.complete(queue, job)
    return
  }
  const { owner, webhook_id: webhook } = due
  const complete = async (trx: Transaction<DB>) => {
    await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
  }
  if (due.webhook_status !== 'ENABLED') {
    await transaction(db, async (trx) => {
      await deliveries.abandon(trx, owner, webhook, DISABLED)
      await complete(trx)
    })
    return
  }
  if (due.failing_since !== null && queue !== deliveryQueues.failing.name) {
    // The webhook has failed since the job was planned, so the job moves to the queue of failing webhooks.
    await transaction(db, async (trx) => {
      await deliveries.enqueue(trx, { owner: due.owner, deliveries: [due.delivery] }, options.enqueue)
      await complete(trx)
    })
    return
  }
  if (due.max_per_second !== null && !due.has_slot && !(await waitForSlot(options, due, complete))) return
  // The row has the columns of the event unless the delivery has none.
  const event = due.event === null ? undefined : (due as EventRow)
  const message = options.createMessage(due, event)
  const attempt = { eventType: due.event_type, webhook, attempt: due.failures + 1 }
  const outcome = await traceWebhook(options.tracing, attempt, async () => {
    const startedAt = performance.now()
    const mail = due.url.startsWith(MAIL_SCHEME) ? options.mail : undefined
    const result = await (mail?.(due, event) ?? send(options, due, message))
    return { ...result, durationMs: performance.now() - startedAt }
  })
  log.info(
    { webhook, event: message.id, status: outcome.status, delivered: outcome.delivered },
    'Webhook attempt',
  )
  // A test message is sent once.
  const retryAfter = due.event === null ? undefined : options.retryAfterSeconds[due.failures]
  const wasDisabled = await transaction(db, async (trx) => {
    const disabled = await recordOutcome(options, trx, { job: job.data, due, outcome, retryAfter })
    await complete(trx)
    return disabled
  })
  if (wasDisabled) log.warn({ webhook, owner }, 'A webhook was disabled because it failed for too long')
}

/** What the URL of a webhook begins with that mails its events. */
export const MAIL_SCHEME = 'mailto:'

const DISABLED = 'The webhook is disabled: it failed for too long'

/**
 * Reserves the time of an attempt within the rate limit of its webhook. Plans the attempt and returns false
 * if it is later.
 */
async function waitForSlot<DB>(
  { db, deliveries, enqueue }: Pick<AttemptOptions<DB, never>, 'db' | 'deliveries' | 'enqueue'>,
  due: DueDelivery,
  complete: (trx: Transaction<DB>) => Promise<void>,
): Promise<boolean> {
  return await transaction(db, async (trx) => {
    if (await deliveries.reserveSlot(trx, due)) return true
    await deliveries.enqueue(trx, { owner: due.owner, deliveries: [due.delivery] }, enqueue)
    await complete(trx)
    return false
  })
}

async function send(
  options: PostOptions & Pick<AttemptOptions<never, never>, 'now' | 'webhooks'>,
  due: DueDelivery,
  { id, body }: WebhookMessage,
): Promise<PostOutcome> {
  const at = new Date(options.now())
  const secrets = options.webhooks.openSecrets(due)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
  return await post(due.url, body, headers, options)
}

interface MadeAttempt {
  readonly job: AttemptJob
  readonly due: DueDelivery
  readonly outcome: AttemptOutcome
  readonly retryAfter: number | undefined
}

/** Records an attempt and plans the next one. Returns whether the webhook was disabled. */
async function recordOutcome<DB>(
  options: Pick<
    AttemptOptions<DB, never>,
    'deliveries' | 'enqueue' | 'disableAfterSeconds' | 'reportDisabled'
  >,
  trx: Transaction<DB>,
  { job, due, outcome, retryAfter }: MadeAttempt,
): Promise<boolean> {
  const { deliveries, enqueue } = options
  // Every transaction locks the webhook's row first, so that two attempts to one webhook cannot deadlock.
  const { status, wasDisabled } = outcome.delivered
    ? { status: 'ENABLED', wasDisabled: false }
    : await deliveries.recordFailure(trx, due, options.disableAfterSeconds)
  if (outcome.delivered) await deliveries.recordSuccess(trx, due)
  const isRetried = await deliveries.recordAttempt(trx, job, outcome, retryAfter)
  if (status !== 'ENABLED') {
    await deliveries.abandon(trx, due.owner, due.webhook_id, DISABLED)
  } else if (isRetried) {
    await deliveries.enqueue(trx, { owner: due.owner, deliveries: [due.delivery] }, enqueue)
  }
  if (wasDisabled) await options.reportDisabled?.(trx, due, enqueue)
  return wasDisabled
}
