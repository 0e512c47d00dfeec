import type { ServerHealth } from '@mintmark/admin'
import { sql } from 'kysely'
import type { Db } from '../../tables.ts'

type DisabledWebhook = ServerHealth['disabledWebhooks'][number]

const COUNTED_DELIVERIES = 1000

/** Lists the webhooks of all projects that were disabled, the newest first, with the reason of the newest failed attempt. Requires the owner's rights. */
export async function listDisabledWebhooks(db: Db, limit: number): Promise<DisabledWebhook[]> {
  const { rows } = await sql<Omit<DisabledWebhook, 'failingSince'> & { failingSince: Date | null }>`
    select w.project_id as "projectId", w.id as "webhookId", w.url, w.failing_since as "failingSince",
      coalesce(newest.problem, '') as problem, failed.count as "failedDeliveries"
    from gateway.webhooks w
    left join lateral (
      -- Deliveries that ended with the webhook have no attempt, or a reason that is not the receiver's.
      select d.attempt_log -> -1 ->> 'error' as problem from gateway.webhook_deliveries d
      where d.project_id = w.project_id and d.webhook_id = w.id and d.status = 'FAILED' and d.attempts > 0
      order by d.id desc limit 1
    ) newest on true
    cross join lateral (
      select count(*)::int as count from (
        select from gateway.webhook_deliveries d
        where d.project_id = w.project_id and d.webhook_id = w.id and d.status = 'FAILED'
        order by d.id desc limit ${COUNTED_DELIVERIES}
      ) newest_failed
    ) failed
    where w.status = 'DISABLED'
    order by w.failing_since desc nulls last, w.project_id, w.id limit ${limit}`.execute(db)
  return rows.map(({ failingSince, ...webhook }) => ({
    ...webhook,
    ...(failingSince !== null && { failingSince: failingSince.toISOString() }),
  }))
}
