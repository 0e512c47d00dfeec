import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'

/**
 * Waits until at least `count` statements in the database of `db` wait for a lock. `db` must not be in a
 * transaction, because within one PostgreSQL returns the same activity each time.
 */
export async function waitForBlockedStatements<Tables>(db: Kysely<Tables>, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ blocked: number }>`
      select count(*)::int as blocked from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(db)
    if ((rows[0]?.blocked ?? 0) >= count) return
    await pause(10)
  }
}
