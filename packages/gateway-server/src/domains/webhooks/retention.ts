import type pg from 'pg'

/** A statement deletes few rows, so that it does not block those who redeliver for long. */
const BATCH = 10_000

/**
 * Deletes the deliveries of events that are no longer stored, and test messages and removed webhooks without
 * deliveries that are older than `days`. Requires the owner's rights, because row-level security limits the
 * servers' role to one project.
 */
export async function deleteOldDeliveries(pool: pg.Pool, days: number): Promise<void> {
  let deleted: number | null
  do {
    const { rowCount } = await pool.query(
      `delete from gateway.webhook_deliveries where (project_id, id) in (
         select d.project_id, d.id from gateway.event_counts c
         cross join lateral (
           select d.project_id, d.id from gateway.webhook_deliveries d
           where d.project_id = c.project_id and d.event_sequence <= c.dropped
           order by d.event_sequence limit $1) d
         limit $1)`,
      [BATCH],
    )
    deleted = rowCount
  } while (deleted === BATCH)
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
