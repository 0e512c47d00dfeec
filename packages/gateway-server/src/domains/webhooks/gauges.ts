import type { ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { GatewayDatabase } from '../../database/database.ts'
import type { Db } from '../../database/tables.ts'

async function countWebhooks(database: GatewayDatabase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select each.state, count(w.id)::int as count
    from unnest(array['working', 'failing', 'disabled']) each (state)
    left join gateway.webhooks w on w.status <> 'REMOVED' and each.state = case
      when w.status = 'DISABLED' then 'disabled' when w.failing_since is null then 'working' else 'failing' end
    group by each.state`.execute(database.system)
  return new Map(rows.map(({ state, count }) => [state, count]))
}

/**
 * Reads how late the oldest due delivery of all projects is, in seconds; 0 for none. Requires the owner's
 * rights.
 */
export async function readOldestDue(db: Db): Promise<number> {
  const { rows } = await sql<{ age: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)), 0)::float8 as age
    from gateway.webhook_deliveries
    where status = 'PENDING' and next_attempt_at <= statement_timestamp()`.execute(db)
  return rows[0]?.age ?? 0
}

/**
 * Reports how many webhooks work, fail and are disabled, and how late the oldest due delivery is.
 *
 * @param database Connections of the schema's owner, who sees the webhooks of all projects.
 */
export function addWebhookGauges(metrics: ServerMetrics, database: GatewayDatabase): void {
  metrics.gauge(
    'webhooks',
    'Webhooks that work, that fail since their last success, and that were disabled because they failed for too long',
    () => countWebhooks(database),
    'state',
  )
  metrics.gauge(
    'oldest_due_delivery_seconds',
    'How late the oldest due attempt of a webhook delivery is; 0 for none',
    () => readOldestDue(database.system),
  )
}
