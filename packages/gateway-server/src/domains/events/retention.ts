import type pg from 'pg'
import { dropNumbered, type NumberedTable } from '../../database/drop-numbered.ts'
import { EVENTS, readClock } from '../../database/partitions.ts'

const NUMBERED_EVENTS: NumberedTable = { ...EVENTS, number: 'sequence', heads: 'event_counts' }
const DAY_MS = 24 * 60 * 60_000

/**
 * Drops the events of all projects that were recorded before the day `days` ago. The stored events of a
 * project always end at its newest one and have no gaps. Requires the owner's rights, not the servers' role.
 */
export async function deleteOldEvents(pool: pg.Pool, days: number): Promise<void> {
  const clock = await readClock(pool)
  // The earlier of two clocks, because one that jumps ahead would delete new events.
  const now = Math.min(clock.getTime(), Date.now())
  await dropNumbered(pool, NUMBERED_EVENTS, new Date(now - days * DAY_MS), async (client, old) => {
    await client.query(
      `update gateway.event_counts c set dropped = o.last
       from json_to_recordset($1) as o (project bigint, last bigint) where c.project_id = o.project`,
      [JSON.stringify(old)],
    )
  })
}
