import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** A session for which others wait, as a list shows it. */
export interface BlockingSession {
  /** Its process id in the database. */
  readonly sessionId: number
  readonly program: string
  readonly state: string
  /** The seconds since its transaction began. Absent if it has none. */
  readonly transactionSeconds?: number
  readonly statement: string
  /** `''` for a process of the database itself. */
  readonly databaseRole: string
  /** ISO 8601. Absent if it cannot be read. */
  readonly startTime?: string
  /** Whether the role of the connection that lists it may end it. */
  readonly isEndable: boolean
}

/** A session that waits for a lock. */
export interface BlockedSession {
  /** Its process id in the database. */
  readonly sessionId: number
  readonly program: string
  readonly waitingSeconds: number
  readonly statement: string
  /** The sessions that have the lock, or wait for it before this one. */
  readonly blockers: BlockingSession[]
}

/** The most sessions that are listed. Only what blocks one of them can be ended. */
export const LISTED_SESSIONS = 20
/** Short waits are normal. */
const MIN_WAIT_SECONDS = 1
const SHOWN_CHARACTERS = 300

/** Statements of other programs may contain their secrets. */
const isOwn = (program: string) =>
  sql<boolean>`(${sql.ref(program)} like 'mintmark-%' or ${sql.ref(program)} in ('migrate gateway', 'migrate facilitator'))`

/**
 * The sessions of this database that have waited longest for a lock, as `listed`, and the sessions for which
 * each waits, as `blockers`. Finding the blockers of a session locks all of the lock manager, so it is done
 * once for each session that is listed.
 */
const withBlockers = (limit: number): RawBuilder<unknown> => sql`
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
  )`

/** When a session of `pg_stat_activity` began, as ISO 8601. Null for roles that may not read the session. */
const startTime = (session: string) =>
  sql<
    string | null
  >`to_char(${sql.ref(`${session}.backend_start`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The rule of `pg_terminate_backend`, for sessions of this database whose beginning can be read. A process of
 * the database itself has no role.
 */
const isEndable = (session: string) => {
  const role = sql.ref(`${session}.usesysid`)
  const isSuperuser = (condition: RawBuilder<unknown>) =>
    sql`(select r.rolsuper from pg_roles r where ${condition})`
  return sql<boolean>`coalesce(${sql.ref(`${session}.datname`)} = current_database() and ${sql.ref(`${session}.backend_start`)} is not null and
    case when ${isSuperuser(sql`r.oid = ${role}`)} then ${isSuperuser(sql`r.rolname = current_user`)}
      else pg_has_role(${role}, 'USAGE') or pg_has_role('pg_signal_backend', 'USAGE') end, false)`
}

/**
 * Lists the sessions of the database that wait for a lock, those that have waited longest first, and the
 * sessions for which each waits. Statements are those of Mintmark's programs, and empty for others.
 */
export async function listBlockedSessions(
  db: QueryExecutorProvider,
  limit: number,
): Promise<BlockedSession[]> {
  const statementOf = (session: string) =>
    sql`case when ${isOwn(`${session}.application_name`)}
      then left(coalesce(${sql.ref(`${session}.query`)}, ''), ${SHOWN_CHARACTERS}) else '' end`
  const { rows } = await sql<BlockedSession>`
    ${withBlockers(limit)}
    select l.pid as "sessionId", coalesce(l.application_name, '') as program,
      extract(epoch from clock_timestamp() - l.since)::int as "waitingSeconds",
      ${statementOf('l')} as statement,
      (
        select coalesce(json_agg(json_strip_nulls(json_build_object(
          'sessionId', b.pid, 'program', coalesce(b.application_name, ''), 'state', coalesce(b.state, ''),
          'transactionSeconds', extract(epoch from clock_timestamp() - b.xact_start)::int,
          'statement', ${statementOf('b')}, 'databaseRole', coalesce(b.usename, ''),
          'startTime', ${startTime('b')}, 'isEndable', ${isEndable('b')})) order by b.pid), '[]')
        from blockers join pg_stat_activity b on b.pid = blockers.blocker
        where blockers.blocked = l.pid
      ) as blockers
    from listed l
    order by l.since, l.pid`.execute(db)
  return rows
}

/** Names a session. The database uses process ids again, but not for sessions that begin at the same time. */
export interface SessionIdentity {
  readonly sessionId: number
  /** ISO 8601. */
  readonly startTime: string
}

/** A session for which sessions of this database wait. */
export interface Blocker {
  readonly sessionId: number
  readonly program: string
  readonly databaseRole: string
  /**
   * Whether it is one of this database. A row of a list of the whole server, such as that of roles, can be
   * locked from another one.
   */
  readonly isOfThisDatabase: boolean
  readonly startedAt: Date
  /** How many of the listed sessions wait for it. */
  readonly blockedSessions: number
  readonly isEndable: boolean
  /** The database role of the connection. */
  readonly ownRole: string
}

/**
 * Selects from `pg_stat_activity` as `b` a session for which others wait at present. A beginning that cannot
 * be read is not compared.
 */
const fromBlocker = ({ sessionId, startTime: time }: SessionIdentity): RawBuilder<unknown> => sql`
  from pg_stat_activity b
  where b.pid = ${sessionId}::bigint and coalesce(${startTime('b')} = ${new Date(time).toISOString()}, true)
    and b.pid in (select blocker from blockers)`

/** Finds a session for which others wait. Undefined if none does. */
export async function findBlocker(
  db: QueryExecutorProvider,
  identity: SessionIdentity,
): Promise<Blocker | undefined> {
  const { rows } = await sql<Blocker>`
    ${withBlockers(LISTED_SESSIONS)}
    select b.pid as "sessionId", coalesce(b.application_name, '') as program, coalesce(b.usename, '') as "databaseRole",
      coalesce(b.datname = current_database(), false) as "isOfThisDatabase", b.backend_start as "startedAt", current_user::text as "ownRole", ${isEndable('b')} as "isEndable",
      (select count(*)::int from blockers where blocker = b.pid) as "blockedSessions"
    ${fromBlocker(identity)}`.execute(db)
  return rows[0]
}

/**
 * Ends a session if others wait for it and it may be ended, decided by the same statement. Returns whether it
 * ended within a time, or undefined if it was left.
 */
export async function endBlocker(
  db: QueryExecutorProvider,
  identity: SessionIdentity,
  timeoutMs: number,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ ended: boolean }>`
    ${withBlockers(LISTED_SESSIONS)}
    select pg_terminate_backend(b.pid, ${timeoutMs}::bigint) as ended
    ${fromBlocker(identity)} and ${isEndable('b')}`.execute(db)
  return rows[0]?.ended
}
