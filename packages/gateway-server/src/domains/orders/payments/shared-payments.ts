import type { ServerHealth } from '@mintmark/admin'
import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'

type SharedPayment = ServerHealth['sharedPayments'][number]

/** An order that counts a payment. */
export interface PaymentUse {
  readonly projectId: number
  readonly order: number
}

/**
 * Lists the orders of all projects that count a payment, if they belong to several projects. Call it after
 * the payment was committed, so that of two projects that count it at the same time at least one finds the
 * other.
 */
export async function listSharedUses(
  system: Database<Tables>['system'],
  chainId: string,
  hash: string,
): Promise<PaymentUse[]> {
  const { rows } = await sql<PaymentUse>`
    select project_id as "projectId", order_id as "order"
    from gateway.list_payment_uses(${chainId}, ${hash})`.execute(system)
  return new Set(rows.map(({ projectId }) => projectId)).size < 2 ? [] : rows
}

/** Logs an alert if orders of several projects count the same payment. Call it like `listSharedUses`. */
export async function reportSharedPayment(
  { database, log }: { readonly database: Database<Tables>; readonly log: Pick<Logger, 'error'> },
  chainId: string,
  hash: string,
): Promise<void> {
  const orders = await listSharedUses(database.system, chainId, hash)
  if (orders.length === 0) return
  log.error({ alert: 'payment', chainId, hash, orders }, SHARED_PAYMENT)
}

const SHARED_PAYMENT = 'Orders of several projects count the same payment'

/**
 * Logs an alert while payments of the last day are counted by orders of several projects, whoever counted
 * them: the verifier or an operator. A process may die before it has reported one.
 */
export async function logSharedPayments(
  database: Database<Tables>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const count = await getSharedPayments(database.system)
  if (count > 0) log.warn({ alert: 'payment', count }, SHARED_PAYMENT)
}

/**
 * Lists the payments that orders of several projects counted within the last days, the newest first, with all
 * orders that count them. Requires the owner's rights.
 */
export async function listSharedPayments(
  db: Database<Tables>['system'],
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<SharedPayment[]> {
  const { rows } = await sql<Omit<SharedPayment, 'countTime'> & { countedAt: Date }>`
    select c.chain_id as "chainId", c.hash, max(c.consumed_at) as "countedAt", (
      select json_agg(json_build_object('projectId', u.project_id, 'orderNo', o.order_no) order by u.consumed_at, u.project_id)
      from gateway.consumed_payments u
      join gateway.orders o on o.project_id = u.project_id and o.id = u.order_id
      where u.chain_id = c.chain_id and u.hash = c.hash
    ) as orders
    from gateway.consumed_payments c
    where c.consumed_at > statement_timestamp() - make_interval(days => ${days}) and exists (
      select from gateway.consumed_payments s
      where s.chain_id = c.chain_id and s.hash = c.hash and s.project_id <> c.project_id)
    group by c.chain_id, c.hash
    order by max(c.consumed_at) desc limit ${limit}`.execute(db)
  return rows.map(({ countedAt, ...payment }) => ({ ...payment, countTime: countedAt.toISOString() }))
}

/** Counts the payments that orders of several projects counted within the last day. */
export async function getSharedPayments(db: Database<Tables>['system']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select gateway.count_shared_payments(interval '1 day')::float8 as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Reports how many payments orders of several projects counted within the last day. */
export function addSharedPaymentGauge(metrics: ServerMetrics, database: Database<Tables>): void {
  metrics.gauge(
    'shared_payments',
    'Payments that orders of several projects counted within the last day',
    () => getSharedPayments(database.system),
  )
}
