import { IDEMPOTENCY_HOURS } from '@mintmark/server-kit'
import type pg from 'pg'

/**
 * Removes the answers whose Idempotency-Key has run out. Needs the owner's rights, whom row-level security does not bind: it is done
 * for all projects at once.
 *
 * @returns How many were removed.
 */
export async function deleteOldResponses(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from gateway.idempotency_keys where created_at <= clock_timestamp() - make_interval(hours => $1)',
    [IDEMPOTENCY_HOURS],
  )
  return rowCount ?? 0
}
