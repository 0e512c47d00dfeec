import { type Logger, type Sealer, transaction } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { fromKysely, type Job, type PgBoss } from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import type { Tables } from '../tables.ts'
import {
  abandonDeliveries,
  type DueDelivery,
  findDue,
  noteAttempt,
  noteFailure,
  noteSuccess,
} from './delivery-store.ts'
import { type AttemptJob, type JobTimes, lanes, planAttempts } from './jobs.ts'
import { type PostOptions, post } from './post.ts'
import { secretOf } from './webhook-store.ts'

export interface AttemptOptions extends PostOptions {
  readonly db: Kysely<Tables>
  readonly boss: PgBoss
  readonly sealer: Sealer
  /** Seconds from each failure to the next attempt; after the last one a delivery has failed. */
  readonly retryAfterSeconds: readonly number[]
  /** Seconds of nothing but failures until a webhook is disabled. */
  readonly disableAfterSeconds: number
  readonly jobTimes: JobTimes
  /** Milliseconds since the epoch, for the time that is signed. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info'>
}

/** The message of an event: the same bytes in each attempt and for each webhook. */
function messageOf({ event_id, type, occurred_at, sequence, data }: DueDelivery): {
  id: string
  body: string
} {
  const id = `evt_${event_id}`
  return { id, body: JSON.stringify({ id, type, occurredAt: occurred_at.toISOString(), sequence, data }) }
}

/**
 * Makes the attempt that a job asks for. The note of what became of it, the job of the next attempt and the end of this
 * one's commit together: whoever dies before that leaves the job to another, who sends the message again.
 */
export async function makeAttempt(
  options: AttemptOptions,
  job: Job<AttemptJob>,
  queue: string,
): Promise<void> {
  const { db, boss, sealer, log } = options
  const due = await findDue(db, job.data.delivery, job.data.turn)
  if (due === undefined) {
    await boss.complete(queue, job)
    return
  }
  const webhook = due.webhook_id
  if (due.webhook_status !== 'ENABLED') {
    await transaction(db, async (trx) => {
      await abandonDeliveries(trx, webhook, disabled)
      await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
    })
    return
  }
  if (due.failing_since !== null && queue !== lanes.failing.queue) {
    // It began to fail after this was planned: from now on it uses the places of those that do.
    await transaction(db, async (trx) => {
      await planAttempts(boss, trx, [{ ...job.data, webhook, failing: true, after: 0 }], options.jobTimes)
      await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
    })
    return
  }
  const { id, body } = messageOf(due)
  const at = new Date(options.now())
  const secret = secretOf(sealer, { id: webhook, account_id: due.account_id, secret: due.secret })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  const outcome = await post(due.url, body, headers, options)
  const retryAfter = options.retryAfterSeconds[due.failures]
  log.info({ webhook, event: id, status: outcome.status, delivered: outcome.delivered }, 'webhook attempt')

  await transaction(db, async (trx) => {
    // The webhook's row first, in every transaction: two attempts to one webhook cannot lock each other out.
    const status = outcome.delivered
      ? 'ENABLED'
      : await noteFailure(trx, webhook, options.disableAfterSeconds)
    if (outcome.delivered) await noteSuccess(trx, webhook)
    const turn = await noteAttempt(trx, job.data, outcome, retryAfter)
    if (status !== 'ENABLED') {
      await abandonDeliveries(trx, webhook, disabled)
    } else if (turn !== undefined && retryAfter !== undefined) {
      const next = { delivery: job.data.delivery, turn, webhook, failing: true, after: retryAfter }
      await planAttempts(boss, trx, [next], options.jobTimes)
    }
    await boss.complete(queue, job, undefined, { db: fromKysely(trx) })
  })
}

const disabled = 'The webhook is disabled: it failed for too long'
