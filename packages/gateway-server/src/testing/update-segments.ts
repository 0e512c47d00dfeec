import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type SegmentSizes, updateListSegments } from '../maintenance/list-segments.ts'
import type { TestGateway } from './gateway.ts'

/**
 * Runs the job of long lists until all requested lists are counted. They wait for writers of all databases of
 * the cluster, also for those of other tests.
 */
export async function updateSegments({ owner }: TestGateway, sizes?: SegmentSizes): Promise<void> {
  for (;;) {
    await updateListSegments(owner.pool, sizes)
    const { rows } = await sql`select from gateway.list_segments where row_count is null limit 1`.execute(
      owner.system,
    )
    if (rows.length === 0) return
    await pause(10)
  }
}
