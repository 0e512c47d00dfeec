import type pg from 'pg'

/**
 * Creates a job that removes records of list changes. Each run removes those of transactions that had ended before the run before it began: every count
 * that was kept since then has seen them. Runs must be further apart than a count is kept, ten seconds. Needs the owner's rights.
 */
export function createListChangePruner(pool: pg.Pool): () => Promise<void> {
  let horizon: string | undefined
  return async () => {
    const { rows } = await pool.query<{ horizon: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
    )
    if (horizon !== undefined) {
      await pool.query('delete from gateway.list_changes where transaction < $1::xid8', [horizon])
    }
    horizon = rows[0]?.horizon
  }
}
