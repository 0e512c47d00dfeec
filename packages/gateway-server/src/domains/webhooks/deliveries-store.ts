import { findPage, type PageQuery, type PageRows, type TimeRange } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tenant } from '../../database/tenant.ts'
import type { DeliveryRow } from './records.ts'

export const DELIVERY_ORDERS = { createTime: 'created_at', id: 'created_at' }

/** How many events one redelivery of a range reads. */
const RANGE_EVENTS = 1000

export async function findDelivery(tenant: Tenant, id: number): Promise<DeliveryRow | undefined> {
  const delivery = tenant.selectFrom('gateway.webhook_deliveries').selectAll().where('id', '=', id)
  return await delivery.executeTakeFirst()
}

export async function listDeliveries(
  tenant: Tenant,
  { webhook, status, from, to }: { webhook: number; status: string | undefined } & TimeRange,
  query: PageQuery,
): Promise<PageRows<DeliveryRow>> {
  const all = tenant.selectFrom('gateway.webhook_deliveries').selectAll()
  // An unknown status finds no delivery.
  const filtered = status === undefined ? all : all.where(sql<string>`status`, '=', status)
  return await findPage(tenant.db, 'gateway.webhook_deliveries', filtered, query, {
    index: { columns: { webhook_id: webhook } },
    created: { from, to },
  })
}

/**
 * Adds a test message for a webhook, or returns the one that is pending. The caller holds the lock of the
 * webhook's row.
 *
 * @returns Whether it was added, so that it needs a job.
 */
export async function addTest(
  tenant: Tenant,
  webhook: number,
): Promise<{ row: DeliveryRow; isNew: boolean }> {
  const tests = tenant
    .selectFrom('gateway.webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook)
    .where('event_sequence', 'is', null)
    .where('status', '=', 'PENDING')
  const pending = await tests.executeTakeFirst()
  if (pending !== undefined) return { row: pending, isNew: false }
  const { rows } = await sql<DeliveryRow>`
    insert into gateway.webhook_deliveries (project_id, webhook_id, event_type, next_attempt_at)
    values (${tenant.project}, ${webhook}, 'webhook.test', clock_timestamp())
    returning *`.execute(tenant)
  const row = rows[0]
  if (row === undefined) throw new Error('The insert returned no row')
  return { row, isNew: true }
}

/** Locks a webhook until the end of the transaction, so that it is not removed or disabled meanwhile. */
export async function lockWebhook(tenant: Tenant, webhook: number): Promise<void> {
  await sql`
    select from gateway.webhooks where project_id = ${tenant.project} and id = ${webhook} for no key update`.execute(
    tenant,
  )
}

export interface EventRange {
  /** Only events with larger numbers. */
  readonly after: number
  readonly upTo: number
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly includeDelivered: boolean
}

export interface RangeResult {
  /** The ids of the deliveries that were started. */
  readonly started: readonly number[]
  /** The number of the last event that was read. */
  readonly next: number
  readonly hasMore: boolean
}

/**
 * Starts the deliveries of events in a range to a webhook that subscribes to them: those that do not exist,
 * have failed or wait for a retry, and with `includeDelivered` those that were delivered. Attempts in progress
 * are left alone.
 */
export async function redeliverEvents(
  tenant: Tenant,
  webhook: number,
  { after, upTo, from, to, includeDelivered }: EventRange,
): Promise<RangeResult> {
  const inTime = sql`${from ?? null}::timestamptz is null or recorded_at >= ${from ?? null}`
  const beforeEnd = sql`${to ?? null}::timestamptz is null or recorded_at < ${to ?? null}`
  const { rows } = await sql<{ started: number[] | null; last: number | null; found: number }>`
    with found as (
      select sequence, type from gateway.events
      where project_id = ${tenant.project} and sequence > ${after} and sequence <= ${upTo}
        and (${inTime}) and (${beforeEnd})
      order by sequence limit ${RANGE_EVENTS}
    ), started as (
      insert into gateway.webhook_deliveries as d (project_id, webhook_id, event_sequence, event_type, next_attempt_at)
      select w.project_id, w.id, f.sequence, f.type, clock_timestamp()
      from found f
      join gateway.webhooks w on w.project_id = ${tenant.project} and w.id = ${webhook}
        and (cardinality(w.events) = 0 or w.events && array[f.type, split_part(f.type, '.', 1) || '.*', '*'])
      order by f.sequence
      on conflict (project_id, event_sequence, webhook_id) do update
      set status = 'PENDING', failures = 0, turn = d.turn + 1, next_attempt_at = clock_timestamp()
      where d.status = 'FAILED' or (d.status = 'DELIVERED' and ${includeDelivered})
        or (d.status = 'PENDING' and d.failures > 0 and d.next_attempt_at > clock_timestamp())
      returning id
    )
    select (select array_agg(id order by id) from started) as started, (select max(sequence) from found) as last,
      (select count(*)::int from found) as found`.execute(tenant)
  const { started, last, found } = rows[0] ?? { started: null, last: null, found: 0 }
  return { started: started ?? [], next: last ?? after, hasMore: found === RANGE_EVENTS }
}
