import type { Logger, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { GatewayDatabase } from '../database.ts'
import type { Db } from '../tables.ts'

/** The most changes that are counted, so that no reading scans a large table. */
const MAX_COUNTED = 100_000

/**
 * Counts the changes of long lists that wait to be added to their segments, up to 100,000. Requires the
 * owner's rights.
 */
export async function countWaitingListChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from gateway.list_segment_changes limit ${MAX_COUNTED}::int) as change`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Counts the lists that wait to be counted in segments. The first condition is that of the index. Requires
 * the owner's rights.
 */
async function countWaitingLists(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gateway.list_segments
    where (row_count is null or row_count > max_rows) and row_count is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Registers gauges for what waits for the job that counts long lists. */
export function addListSegmentGauges(
  metrics: ServerMetrics,
  { system }: GatewayDatabase,
  log: Pick<Logger, 'warn'>,
): void {
  const readOrWarn = async (read: (db: Db) => Promise<number>) => {
    try {
      return await read(system)
    } catch (error) {
      log.warn({ err: error }, 'Could not read the backlog of long lists')
      return Number.NaN
    }
  }
  metrics.gauge(
    'waiting_list_changes',
    'Changes of long lists that are not part of their segments yet, at most 100,000',
    () => readOrWarn(countWaitingListChanges),
  )
  metrics.gauge('waiting_lists', 'Long lists that are not counted in segments yet', () =>
    readOrWarn(countWaitingLists),
  )
}
