import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../../tables.ts'

/** An order that counts a payment. */
export interface PaymentUse {
  readonly projectId: number
  readonly order: number
}

/**
 * Logs an alert if orders of other projects count the same payment. Call it after the payment was committed, so that of two projects that count it
 * at the same time at least one finds the other.
 */
export async function reportSharedPayment(
  { database, log }: { readonly database: Database<Tables>; readonly log: Pick<Logger, 'error'> },
  chainId: string,
  hash: string,
): Promise<void> {
  const { rows } = await sql<PaymentUse>`
    select project_id as "projectId", order_id as "order"
    from gateway.list_payment_uses(${chainId}, ${hash})`.execute(database.system)
  if (new Set(rows.map(({ projectId }) => projectId)).size < 2) return
  const details = { alert: 'payment', chainId, hash, orders: rows }
  log.error(details, 'Orders of several projects count the same payment')
}

/** Counts the payments that orders of several projects counted within the last day. */
export async function getSharedPayments(db: Database<Tables>['system']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select gateway.count_shared_payments(interval '1 day')::float8 as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Reports how many payments orders of several projects counted within the last day. */
export function addSharedPaymentGauge(
  metrics: ServerMetrics,
  database: Database<Tables>,
  log: Pick<Logger, 'warn'>,
): void {
  metrics.gauge(
    'shared_payments',
    'Payments that orders of several projects counted within the last day',
    async () => {
      try {
        return await getSharedPayments(database.system)
      } catch (error) {
        log.warn({ err: error }, 'The payments of several projects could not be counted')
        return new Map<string, number>()
      }
    },
  )
}
