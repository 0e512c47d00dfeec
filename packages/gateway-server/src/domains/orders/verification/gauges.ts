import { OrderStatus } from '@mintmark/orders'
import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'

const names = new Map<number, string>(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

/** The age in seconds of the oldest order of each kind that needs a person; 0 for none. */
export async function readStuckOrders(database: Database<Tables>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ kind: string; seconds: number }>`
    select kind, seconds from gateway.oldest_stuck_orders()`.execute(database.system)
  return new Map(rows.map(({ kind, seconds }) => [kind, seconds]))
}

/** How long a project may take, by kind, before a person is needed: to transfer a token, and to pay back. */
const PATIENCE_SECONDS: Readonly<Record<string, number>> = { delivery: 3 * 86_400, refund: 86_400 }

/**
 * Logs which kinds of orders need a person. Run it now and then, because such orders make no event of their
 * own.
 */
export async function logStuckOrders(database: Database<Tables>, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const [kind, seconds] of await readStuckOrders(database)) {
    if (seconds > (PATIENCE_SECONDS[kind] ?? 0))
      log.warn(
        { alert: 'stuck', kind, seconds: Math.round(seconds) },
        'Orders need an operator: orders stuck',
      )
  }
}

/**
 * Reports the age of the oldest order in each unfinished status, and of each kind that needs a person, of all
 * projects.
 */
export function addOrderGauges(metrics: ServerMetrics, database: Database<Tables>): void {
  metrics.gauge(
    'oldest_order_seconds',
    'Age of the oldest order in each unfinished status; 0 for none',
    async () => {
      const { rows } = await sql<{ status: number; seconds: number }>`
        select status, seconds from gateway.oldest_unfinished_orders()`.execute(database.system)
      return new Map(rows.map(({ status, seconds }) => [names.get(status) ?? String(status), seconds]))
    },
    'status',
  )
  metrics.gauge(
    'oldest_stuck_order_seconds',
    'Age of the oldest order that needs a person: a refund is due, its delivery is pending, or it ended unpaid with a payment; 0 for none',
    () => readStuckOrders(database),
    'kind',
  )
}
