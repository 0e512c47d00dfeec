import type { ServerHealth } from '@mintmark/admin'
import { sql } from 'kysely'
import type { Db } from '../tables.ts'

type BlockedSession = ServerHealth['blockedSessions'][number]

/** Short waits are normal. */
const MIN_WAIT_SECONDS = 1
const SHOWN_CHARACTERS = 300

/** Lists the sessions of the database that wait for a lock, those that have waited longest first, and the sessions for which each waits. */
export async function listBlockedSessions(db: Db, limit: number): Promise<BlockedSession[]> {
  const { rows } = await sql<BlockedSession>`
    with waits as (
      select pid, min(waitstart) as since from pg_locks where not granted group by pid
    )
    select w.pid as "sessionId", coalesce(a.application_name, '') as program,
      extract(epoch from clock_timestamp() - w.since)::int as "waitingSeconds",
      left(coalesce(a.query, ''), ${SHOWN_CHARACTERS}) as statement,
      (
        select coalesce(json_agg(json_strip_nulls(json_build_object(
          'sessionId', b.pid, 'program', coalesce(b.application_name, ''), 'state', coalesce(b.state, ''),
          'transactionSeconds', extract(epoch from clock_timestamp() - b.xact_start)::int,
          'statement', left(coalesce(b.query, ''), ${SHOWN_CHARACTERS}))) order by b.pid), '[]')
        from pg_stat_activity b where b.pid = any(pg_blocking_pids(w.pid))
      ) as blockers
    from waits w
    join pg_stat_activity a on a.pid = w.pid and a.datname = current_database()
    where w.since <= clock_timestamp() - make_interval(secs => ${MIN_WAIT_SECONDS})
    order by w.since limit ${limit}`.execute(db)
  return rows
}
