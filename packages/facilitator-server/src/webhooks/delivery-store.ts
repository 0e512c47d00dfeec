import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { RecordedEvent } from '../events/record-event.ts'
import type { EventData, Tables } from '../tables.ts'
import type { PlannedAttempt } from './jobs.ts'
import type { PostOutcome } from './post.ts'
import type { DeliveriesTable, WebhookStatus } from './tables.ts'

export type DeliveryRow = Selectable<DeliveriesTable>

/** What an attempt needs to know. */
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

/** Notes what is to be sent to whom: a delivery for each event and each enabled webhook that wants its type. */
export async function addDeliveries(
  trx: Transaction<Tables>,
  events: readonly RecordedEvent[],
): Promise<PlannedAttempt[]> {
  const ids = events.map(({ id }) => id)
  const { rows } = await sql<PlannedAttempt>`
    with added as (
      insert into facilitator.deliveries (webhook_id, event_id, event_type, next_attempt_at)
      select w.id, e.id, e.type, clock_timestamp()
      from facilitator.events e
      join facilitator.webhooks w on w.account_id = e.account_id and w.status = 'ENABLED'
        and (cardinality(w.events) = 0 or e.type = any(w.events))
      where e.id = any(${ids}::bigint[])
      order by e.id, w.id
      returning id, webhook_id, turn)
    select a.id as delivery, a.turn, a.webhook_id as webhook, w.failing_since is not null as failing, 0 as after
    from added a join facilitator.webhooks w on w.id = a.webhook_id
    order by a.id`.execute(trx)
  return rows
}

/** The delivery that a job is for; undefined where it was sent, given up, begun anew or removed meanwhile. */
export async function findDue(
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
 * Notes an attempt. Its turn ends with it, unless the delivery was begun anew in the meantime: then another job has the
 * next turn, and only the count of attempts is this one's to change.
 *
 * @param retryAfter Seconds until the next attempt; undefined: a failure is the last.
 * @returns The turn of the next attempt, where there is one.
 */
export async function noteAttempt(
  trx: Kysely<Tables>,
  { delivery, turn }: { delivery: number; turn: number },
  outcome: PostOutcome,
  retryAfter: number | undefined,
): Promise<number | undefined> {
  const again = !outcome.delivered && retryAfter !== undefined
  const status = outcome.delivered ? 'DELIVERED' : again ? 'PENDING' : 'FAILED'
  const next = again ? sql`clock_timestamp() + make_interval(secs => ${retryAfter})` : sql`null`
  const mine = sql`turn = ${turn} and status = 'PENDING'`
  const { rows } = await sql<{ turn: number; mine: boolean }>`
    update facilitator.deliveries set
      attempts = attempts + 1,
      last_attempt_at = clock_timestamp(),
      response_status = ${outcome.status},
      error = ${outcome.error},
      status = case when ${mine} then ${status} else status end,
      failures = case when ${mine} and not ${outcome.delivered} then failures + 1 else failures end,
      next_attempt_at = case when ${mine} then ${next} else next_attempt_at end,
      turn = case when ${mine} then turn + 1 else turn end
    where id = ${delivery}
    returning turn, status = 'PENDING' and turn = ${turn + 1} as mine`.execute(trx)
  const row = rows[0]
  return again && row?.mine ? row.turn : undefined
}

/** A webhook answered: it does not fail any more. */
export async function noteSuccess(trx: Kysely<Tables>, webhook: number): Promise<void> {
  await trx
    .updateTable('facilitator.webhooks')
    .set({ failing_since: null })
    .where('id', '=', webhook)
    .where('failing_since', 'is not', null)
    .execute()
}

/**
 * A webhook failed: where it has done nothing else for so long, it is disabled.
 *
 * @param patience Seconds of failing until it is.
 * @returns What it is now.
 */
export async function noteFailure(
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

/** Gives up what was still to be sent to a webhook. */
export async function abandonDeliveries(trx: Kysely<Tables>, webhook: number, error: string): Promise<void> {
  await sql`
    update facilitator.deliveries
    set status = 'FAILED', next_attempt_at = null, turn = turn + 1, error = ${error}
    where webhook_id = ${webhook} and status = 'PENDING'`.execute(trx)
}

/** Begins a delivery anew, whatever became of it: all its times of retrying are ahead again. */
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
