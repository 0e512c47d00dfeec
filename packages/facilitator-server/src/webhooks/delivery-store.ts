import { type Kysely, type Selectable, sql } from 'kysely'
import type { EventData, Tables } from '../tables.ts'
import type { PostOutcome } from './post.ts'
import type { DeliveriesTable, WebhookStatus } from './tables.ts'

export type DeliveryRow = Selectable<DeliveriesTable>

/** The data of an attempt. */
export interface DueDelivery {
  webhook_id: number
  account_id: number
  url: string
  secret: string
  webhook_status: WebhookStatus
  failing_since: Date | null
  failures: number
  event_id: number
  type: string
  sequence: number
  occurred_at: Date
  data: EventData
}

/** Finds the delivery of a job. Undefined if it was delivered, abandoned, restarted or removed since. */
export async function findDueDelivery(
  db: Kysely<Tables>,
  delivery: number,
  turn: number,
): Promise<DueDelivery | undefined> {
  return await db
    .selectFrom('facilitator.deliveries as d')
    .innerJoin('facilitator.webhooks as w', 'w.id', 'd.webhook_id')
    .innerJoin('facilitator.events as e', 'e.id', 'd.event_id')
    .select([
      'w.id as webhook_id',
      'w.account_id',
      'w.url',
      'w.secret',
      'w.status as webhook_status',
      'd.failures',
    ])
    .select('w.failing_since')
    .select(['e.id as event_id', 'e.type', 'e.sequence', 'e.occurred_at', 'e.data'])
    .where('d.id', '=', delivery)
    .where('d.turn', '=', turn)
    .where('d.status', '=', 'PENDING')
    .executeTakeFirst()
}

/**
 * Records an attempt and ends its turn. If the delivery was restarted meanwhile, another job has the next turn, and only the number of
 * attempts changes.
 *
 * @param retryAfter Seconds until the next attempt. Undefined if a failure is final.
 * @returns The turn of the next attempt, if any.
 */
export async function recordAttempt(
  trx: Kysely<Tables>,
  { delivery, turn }: { delivery: number; turn: number },
  outcome: PostOutcome,
  retryAfter: number | undefined,
): Promise<number | undefined> {
  const isRetried = !outcome.delivered && retryAfter !== undefined
  const status = outcome.delivered ? 'DELIVERED' : isRetried ? 'PENDING' : 'FAILED'
  const next = isRetried ? sql`clock_timestamp() + make_interval(secs => ${retryAfter})` : sql`null`
  const isCurrent = sql`turn = ${turn} and status = 'PENDING'`
  const { rows } = await sql<{ turn: number; is_current: boolean }>`
    update facilitator.deliveries set
      attempts = attempts + 1,
      last_attempt_at = clock_timestamp(),
      response_status = ${outcome.status},
      error = ${outcome.error},
      status = case when ${isCurrent} then ${status} else status end,
      failures = case when ${isCurrent} and not ${outcome.delivered} then failures + 1 else failures end,
      next_attempt_at = case when ${isCurrent} then ${next} else next_attempt_at end,
      turn = case when ${isCurrent} then turn + 1 else turn end
    where id = ${delivery}
    returning turn, status = 'PENDING' and turn = ${turn + 1} as is_current`.execute(trx)
  const row = rows[0]
  return isRetried && row?.is_current ? row.turn : undefined
}

/** Records that a webhook no longer fails. */
export async function recordSuccess(trx: Kysely<Tables>, webhook: number): Promise<void> {
  await trx
    .updateTable('facilitator.webhooks')
    .set({ failing_since: null })
    .where('id', '=', webhook)
    .where('failing_since', 'is not', null)
    .execute()
}

/**
 * Records a failure of a webhook and disables the webhook if it has failed for too long.
 *
 * @param patience Seconds of failures after which the webhook is disabled.
 * @returns The webhook's new status.
 */
export async function recordFailure(
  trx: Kysely<Tables>,
  webhook: number,
  patience: number,
): Promise<WebhookStatus> {
  const { rows } = await sql<{ status: WebhookStatus }>`
    update facilitator.webhooks set
      failing_since = coalesce(failing_since, clock_timestamp()),
      status = case when status = 'ENABLED' and failing_since <= clock_timestamp() - make_interval(secs => ${patience})
        then 'DISABLED' else status end
    where id = ${webhook}
    returning status`.execute(trx)
  return rows[0]?.status ?? 'REMOVED'
}

/** Abandons the pending deliveries of a webhook. */
export async function abandonDeliveries(trx: Kysely<Tables>, webhook: number, error: string): Promise<void> {
  await sql`
    update facilitator.deliveries
    set status = 'FAILED', next_attempt_at = null, turn = turn + 1, error = ${error}
    where webhook_id = ${webhook} and status = 'PENDING'`.execute(trx)
}

/** Restarts a delivery in any status, with its full retry schedule. */
export async function restartDelivery(
  trx: Kysely<Tables>,
  webhook: number,
  delivery: number,
): Promise<DeliveryRow | undefined> {
  return await trx
    .updateTable('facilitator.deliveries')
    .set((eb) => ({
      status: 'PENDING',
      failures: 0,
      turn: eb('turn', '+', 1),
      next_attempt_at: sql<Date>`clock_timestamp()`,
    }))
    .where('webhook_id', '=', webhook)
    .where('id', '=', delivery)
    .returningAll()
    .executeTakeFirst()
}
