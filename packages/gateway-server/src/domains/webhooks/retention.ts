import type pg from 'pg'

/**
 * Deletes test messages, and removed webhooks without deliveries, that are older than `days`. The deliveries
 * of an event are deleted with it. Requires the owner's rights, because row-level security limits the
 * servers' role to one project.
 */
export async function deleteOldDeliveries(pool: pg.Pool, days: number): Promise<void> {
  await pool.query(
    `delete from gateway.webhook_deliveries
     where event_sequence is null and created_at <= statement_timestamp() - make_interval(days => $1)`,
    [days],
  )
  await pool.query(
    `delete from gateway.webhooks w
     where w.status = 'REMOVED' and w.updated_at <= clock_timestamp() - make_interval(days => $1)
       and not exists (
         select from gateway.webhook_deliveries d where d.project_id = w.project_id and d.webhook_id = w.id)`,
    [days],
  )
}
