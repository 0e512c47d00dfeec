import type pg from 'pg'

/**
 * Deletes the events of all projects that are older than `days`. The stored events of a project always end at
 * its newest one and have no gaps. Requires the owner's rights, because row-level security limits the
 * servers' role to one project.
 *
 * @returns The number of deleted events.
 */
export async function deleteOldEvents(pool: pg.Pool, days: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from gateway.events e using (
       select c.project_id, o.last from gateway.event_counts c
       cross join lateral (
         select max(sequence) as last from gateway.events
         where project_id = c.project_id and recorded_at <= statement_timestamp() - make_interval(days => $1)) o) old
     where e.project_id = old.project_id and e.sequence <= old.last`,
    [days],
  )
  return rowCount ?? 0
}
