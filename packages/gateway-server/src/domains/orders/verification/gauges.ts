import { OrderStatus } from '@mintmark/orders'
import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../../tables.ts'

const names = new Map<number, string>(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

/** Reports the age of the oldest order in each unfinished status, of all projects. */
export function addOrderGauges(
  metrics: ServerMetrics,
  database: Database<Tables>,
  log: Pick<Logger, 'warn'>,
): void {
  metrics.gauge(
    'oldest_order_seconds',
    'Age of the oldest order in each unfinished status; 0 for none',
    async () => {
      try {
        const { rows } = await sql<{ status: number; seconds: number }>`
          select status, seconds from gateway.oldest_unfinished_orders()`.execute(database.system)
        return new Map(rows.map(({ status, seconds }) => [names.get(status) ?? String(status), seconds]))
      } catch (error) {
        log.warn({ err: error }, 'The oldest orders could not be read')
        return new Map<string, number>()
      }
    },
    'status',
  )
}
