import type { ServerHealth } from '@mintmark/admin'
import { sql } from 'kysely'
import type { Db } from '../tables.ts'

type BlockedSession = ServerHealth['blockedSessions'][number]

/** Short waits are normal. */
const MIN_WAIT_SECONDS = 1
const SHOWN_CHARACTERS = 300

/** Statements of other programs may contain their secrets. */
const isOwn = (program: string) =>
  sql<boolean>`(${sql.ref(program)} like 'mintmark-%' or ${sql.ref(program)} = 'migrate gateway')`

/**
 * Lists the sessions of the database that wait for a lock, those that have waited longest first, and the sessions for which each waits. Statements are those of
 * Mintmark's programs, and empty for others.
 */
export async function listBlockedSessions(db: Db, limit: number): Promise<BlockedSession[]> {
  const statementOf = (session: string) =>
    sql`case when ${isOwn(`${session}.application_name`)}
      then left(coalesce(${sql.ref(`${session}.query`)}, ''), ${SHOWN_CHARACTERS}) else '' end`
  // Finding the blockers of a session locks all of the lock manager, so it is done once for each session that is listed.
  const { rows } = await sql<BlockedSession>`
    with waits as (
      select pid, min(waitstart) as since from pg_locks where not granted group by pid
    ), listed as materialized (
      select w.pid, w.since, a.application_name, a.query
      from waits w
      join pg_stat_activity a on a.pid = w.pid and a.datname = current_database()
      where w.since <= clock_timestamp() - make_interval(secs => ${MIN_WAIT_SECONDS})
      order by w.since, w.pid limit ${limit}
    ), blockers as materialized (
      select distinct l.pid as blocked, blocker from listed l cross join lateral unnest(pg_blocking_pids(l.pid)) blocker
    )
    select l.pid as "sessionId", coalesce(l.application_name, '') as program,
      extract(epoch from clock_timestamp() - l.since)::int as "waitingSeconds",
      ${statementOf('l')} as statement,
      (
        select coalesce(json_agg(json_strip_nulls(json_build_object(
          'sessionId', b.pid, 'program', coalesce(b.application_name, ''), 'state', coalesce(b.state, ''),
          'transactionSeconds', extract(epoch from clock_timestamp() - b.xact_start)::int,
          'statement', ${statementOf('b')})) order by b.pid), '[]')
        from blockers join pg_stat_activity b on b.pid = blockers.blocker
        where blockers.blocked = l.pid
      ) as blockers
    from listed l
    order by l.since, l.pid`.execute(db)
  return rows
}
