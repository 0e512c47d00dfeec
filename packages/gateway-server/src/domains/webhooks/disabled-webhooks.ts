import type { ServerHealth } from '@mintmark/admin'
import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'

type DisabledWebhook = ServerHealth['disabledWebhooks'][number]

const COUNTED_DELIVERIES = 1_000
/**
 * Newest deliveries of a webhook among which a failed attempt is searched. Many may have been abandoned
 * without an attempt.
 */
const SEARCHED_DELIVERIES = 5_000

/**
 * Lists the webhooks of all projects that were disabled, the newest first, with the reason of the newest
 * failed attempt and how many of the newest deliveries failed. Requires the owner's rights. The time since
 * which a webhook fails does not limit its deliveries: the first that failed were created before it.
 */
export async function listDisabledWebhooks(db: Db, limit: number): Promise<DisabledWebhook[]> {
  const newestDeliveries = (count: number) => sql`(
    select d.status, d.attempts, d.attempt_log, d.created_at, d.id from gateway.webhook_deliveries d
    where d.project_id = w.project_id and d.webhook_id = w.id
    order by d.created_at desc, d.id desc limit ${count})`
  const { rows } = await sql<Omit<DisabledWebhook, 'failingSince'> & { failingSince: Date | null }>`
    with disabled as materialized (
      select project_id, id, url, failing_since from gateway.webhooks
      where status = 'DISABLED'
      order by failing_since desc nulls last, project_id, id limit ${limit}
    )
    select w.project_id as "projectId", w.id as "webhookId", w.url, w.failing_since as "failingSince",
      coalesce(newest.problem, '') as problem, failed.count as "failedDeliveries"
    from disabled w
    left join lateral (
      -- Deliveries that ended with the webhook have no attempt, or a reason that is not the receiver's.
      select d.attempt_log -> -1 ->> 'error' as problem from ${newestDeliveries(SEARCHED_DELIVERIES)} d
      where d.status = 'FAILED' and d.attempts > 0
      order by d.created_at desc, d.id desc limit 1
    ) newest on true
    cross join lateral (
      select count(*)::int as count from ${newestDeliveries(COUNTED_DELIVERIES)} d where d.status = 'FAILED'
    ) failed
    order by w.failing_since desc nulls last, w.project_id, w.id`.execute(db)
  return rows.map(({ failingSince, ...webhook }) => ({
    ...webhook,
    ...(failingSince !== null && { failingSince: failingSince.toISOString() }),
  }))
}
