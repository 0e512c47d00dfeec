import { type Logger, type Sealer, transaction } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { fromKysely, type Job, type PgBoss } from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import type { Tables } from '../tables.ts'
import {
  abandonDeliveries,
  type DueDelivery,
  findDueDelivery,
  recordAttempt,
  recordFailure,
  recordSuccess,
} from './delivery-store.ts'
import { type AttemptJob, deliveryQueues, type JobTimes, planAttempts } from './jobs.ts'
import { type PostOptions, post } from './post.ts'
import { openSecret } from './webhook-store.ts'

export interface AttemptOptions extends PostOptions {
  readonly db: Kysely<Tables>
  readonly boss: PgBoss
  readonly sealer: Sealer
  /** Seconds from each failure to the next attempt. After the last one, the delivery has failed. */
  readonly retryAfterSeconds: readonly number[]
  /** Seconds of failures without a success after which a webhook is disabled. */
  readonly disableAfterSeconds: number
  readonly jobTimes: JobTimes
  /** Returns milliseconds since the epoch, for the signed time. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info'>
}

/** Creates the message of an event: the same bytes in each attempt and for each webhook. */
function createMessage({ event_id, type, occurred_at, sequence, data }: DueDelivery): {
  id: string
  body: string
} {
  const id = `evt_${event_id}`
  return { id, body: JSON.stringify({ id, type, occurredAt: occurred_at.toISOString(), sequence, data }) }
}

/**
 * Makes the attempt of a job. The result, the job of the next attempt and the completion of this job are committed together. If the process
 * dies before the commit, another process repeats the job and sends the message again.
 */
export async function makeAttempt(
  options: AttemptOptions,
  job: Job<AttemptJob>,
  queue: string,
): Promise<void> {
  const { db, boss, sealer, log } = options
  const due = await findDueDelivery(db, job.data.delivery, job.data.turn)
  if (due === undefined) {
    await boss.complete(queue, job)
    return
  }
  const webhook = due.webhook_id
  if (due.webhook_status !== 'ENABLED') {
    await transaction(db, async (trx) => {
      await abandonDeliveries(trx, webhook, DISABLED)
      await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
    })
    return
  }
  if (due.failing_since !== null && queue !== deliveryQueues.failing.name) {
    // The webhook has failed since the job was planned, so the job moves to the queue of failing webhooks.
    await transaction(db, async (trx) => {
      await planAttempts(boss, trx, [{ ...job.data, webhook, failing: true, after: 0 }], options.jobTimes)
      await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
    })
    return
  }
  const { id, body } = createMessage(due)
  const at = new Date(options.now())
  const secret = openSecret(sealer, { id: webhook, account_id: due.account_id, secret: due.secret })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  const outcome = await post(due.url, body, headers, options)
  const retryAfter = options.retryAfterSeconds[due.failures]
  log.info({ webhook, event: id, status: outcome.status, delivered: outcome.delivered }, 'Webhook attempt')

  await transaction(db, async (trx) => {
    // Every transaction locks the webhook's row first, so that two attempts to one webhook cannot deadlock.
    const status = outcome.delivered
      ? 'ENABLED'
      : await recordFailure(trx, webhook, options.disableAfterSeconds)
    if (outcome.delivered) await recordSuccess(trx, webhook)
    const turn = await recordAttempt(trx, job.data, outcome, retryAfter)
    if (status !== 'ENABLED') {
      await abandonDeliveries(trx, webhook, DISABLED)
    } else if (turn !== undefined && retryAfter !== undefined) {
      const next = { delivery: job.data.delivery, turn, webhook, failing: true, after: retryAfter }
      await planAttempts(boss, trx, [next], options.jobTimes)
    }
    await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
  })
}

const DISABLED = 'The webhook is disabled: it failed for too long'
