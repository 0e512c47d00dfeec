import { defineCheck, failIf, type Problems, warnIf } from './check.ts'
import { type DatabaseCheck, readRows } from './check-database.ts'

interface ServerFacts {
  readonly user: string
  readonly database: string
  readonly isSuperuser: boolean
  readonly isEncrypted: boolean
  readonly isRemote: boolean
  readonly encoding: string
  readonly isCollationStale: boolean
  /** The tables that Citus has distributed. */
  readonly distributedTables: readonly string[]
  readonly missingExtensions: readonly string[]
  /** How many connections the user may open, and how many others have open. */
  readonly available: number
  readonly open: number
  /** Settings of a new session. */
  readonly settings: Readonly<Record<string, string>>
  /** The servers that copy the changes of this one. `syncState` is null if the user may not see it. */
  readonly standbys: readonly { readonly name: string; readonly syncState: string | null }[]
  /** The replication slots that nothing is connected to, and how much WAL the server keeps for them. */
  readonly inactiveSlots: readonly { readonly name: string; readonly megabytes: number }[]
  /** Milliseconds, by the clock of the database. */
  readonly time: number
}

const readServer = (extensions: readonly string[]) =>
  readRows<ServerFacts>(
    `select quote_ident(current_user) as user, quote_ident(datname) as database, rolsuper as "isSuperuser",
       coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
       coalesce(not (inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1'), false) as "isRemote",
       pg_encoding_to_char(encoding) as encoding,
       coalesce(datcollversion <> pg_database_collation_actual_version(d.oid), false) as "isCollationStale",
       array(select unnest($1::text[]) except select extname from pg_extension) as "missingExtensions",
       -- The table of Citus may not exist, so that only a text may name it.
       case when to_regclass('pg_dist_partition') is not null then xpath('//name/text()', query_to_xml(
         'select logicalrelid::regclass as name from pg_dist_partition order by 1', true, false, ''))::text[]
         else '{}' end as "distributedTables",
       least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true)::int, 0),
         nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as available,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
         and pid <> pg_backend_pid() and application_name not like 'mintmark-%') as open,
       (select jsonb_object_agg(name, reset_val) from pg_settings) as settings,
       -- Copies of files and archives of changes, and subscribers of single tables, are not promoted.
       array(
         select jsonb_build_object('syncState', sync_state,
           'name', coalesce(nullif(application_name, ''), host(client_addr), 'pid ' || pid))
         from pg_stat_replication r where coalesce(state, '') <> 'backup'
           and coalesce(application_name, '') not in ('pg_basebackup', 'pg_receivewal')
           and not exists (select from pg_replication_slots where active_pid = r.pid and slot_type = 'logical')
         order by application_name, pid) as standbys,
       array(
         select jsonb_build_object('name', slot_name,
           'megabytes', (pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) / 1048576)::int)
         from pg_replication_slots where not active and restart_lsn is not null and wal_status <> 'lost'
         order by slot_name) as "inactiveSlots",
       extract(epoch from clock_timestamp())::float8 * 1000 as time
     from pg_database d, pg_roles where datname = current_database() and rolname = current_user`,
    extensions,
  )

export interface ServerCheckOptions {
  /** The extensions that the schema needs. */
  readonly extensions: readonly string[]
  /** DATABASE_CONNECTIONS, and the connections of a process in addition. */
  readonly connections: number
  readonly otherConnections: number
  /** Milliseconds. Default: the clock of this machine. */
  readonly now?: (() => number) | undefined
}

/** Creates the check of PostgreSQL: the server, the database, its standbys, and what a new session gets. */
export const createServerCheck = (options: ServerCheckOptions): DatabaseCheck =>
  defineCheck({
    area: 'database',
    name: 'PostgreSQL',
    async read(db) {
      const { now = Date.now, extensions } = options
      const before = now()
      const rows = await readServer(extensions)(db)
      const after = now()
      // The database read its clock at some time between the two.
      return rows.map((row) => ({
        ...row,
        clockDifference: Math.max(row.time - after, before - row.time, 0),
      }))
    },
    problems: (facts) => [
      ...listServerProblems(facts),
      ...listSessionProblems(facts),
      ...listStandbyProblems(facts),
      ...listSlotProblems(facts),
      ...listCapacityProblems(facts, options),
      ...listClockProblems(facts.clockDifference / 1000),
    ],
    ok: ({ settings: { server_version: version }, available }) =>
      `PostgreSQL ${version} responds. It allows ${available} connections, and ${describeConnections(options)}`,
  })

const MIN_VERSION = 150_000

type StoredFacts = Pick<
  ServerFacts,
  'settings' | 'encoding' | 'missingExtensions' | 'isCollationStale' | 'distributedTables'
>

export const listServerProblems = ({ settings, ...facts }: StoredFacts): Problems => [
  failIf(Number(settings.server_version_num) < MIN_VERSION)`PostgreSQL ${settings.server_version} is too old
    Upgrade to PostgreSQL 15 or later`,
  ...['fsync', 'full_page_writes'].map(
    (name) => failIf(settings[name] === 'off')`${name} = off: a crash of the database server destroys data
      Run alter system reset ${name} as a superuser, then select pg_reload_conf()`,
  ),
  failIf(facts.encoding !== 'UTF8')`The encoding of the database is ${facts.encoding}
    Create the database with encoding 'UTF8'`,
  ...facts.missingExtensions.map(
    (name) => failIf(true)`The extension ${name} is not installed in the database
      Run migrate as the owner of the database, or create extension ${name} as an administrator. PostgreSQL's package "contrib" contains it`,
  ),
  failIf(facts.distributedTables.length > 0)`
    Tables are distributed (${facts.distributedTables.join(', ')}), where guards and the order of events do not hold
    Run select undistribute_table for each of them, and divide projects between several servers instead`,
  warnIf(facts.isCollationStale)`
    The operating system's collation has changed, so indexes of texts may be wrong
    Run reindex database, then alter database … refresh collation version`,
]

const TIMEOUT = 'it also ends migrations, the indexer and the audit. Calls have DATABASE_STATEMENT_TIMEOUT_MS'

/** Settings of new sessions, the values that the servers rely on, and what others cause. */
const SESSION_SETTINGS = [
  ['synchronous_commit', /^(?!off)/, failIf, 'a crash loses payments that were confirmed to callers'],
  ['default_transaction_isolation', /^read committed$/, failIf, 'the servers rely on "read committed"'],
  ['statement_timeout', /^0$/, warnIf, TIMEOUT],
  ['transaction_timeout', /^0$/, warnIf, TIMEOUT],
  ['idle_session_timeout', /^0$/, warnIf, 'it closes idle connections of the servers'],
] as const

const listSessionProblems = ({ user, database, settings, ...facts }: ServerFacts): Problems => [
  ...SESSION_SETTINGS.map(
    ([name, expected, report, consequence]) =>
      // PostgreSQL 16 and earlier lack transaction_timeout.
      report(settings[name] !== undefined && !expected.test(settings[name]))`
        ${name} is ${settings[name]}${name.endsWith('_timeout') ? ' ms' : ''}: ${consequence}
        Run alter role ${user} reset ${name}, also for the database (alter database ${database} reset ${name})`,
  ),
  warnIf(facts.isSuperuser)`
    The user ${user} is a superuser, so an error of the server could change every database
    Create a user that owns only the database ${database}, and name it in DATABASE_URL`,
  warnIf(facts.isRemote && !facts.isEncrypted)`The connection to the database is not encrypted
    Add ?sslmode=verify-full to DATABASE_URL`,
]

/** Lists standbys without what was confirmed to callers, which their promotion loses. */
export function listStandbyProblems({
  settings,
  standbys,
}: Pick<ServerFacts, 'settings' | 'standbys'>): Problems {
  const { synchronous_commit: commit = '', synchronous_standby_names: synchronous } = settings
  const all = standbys.map(({ name }) => name).join(', ')
  const late = standbys.filter(({ syncState }) => syncState === 'async' || syncState === null)
  const isIgnored = standbys.length > 0 && /^(?:local|off)$/.test(commit)
  const isHidden = !isIgnored && synchronous !== '' && standbys.some(({ syncState }) => syncState === null)
  return [
    warnIf(isIgnored)`
      synchronous_commit is ${commit}, so no standby is synchronous (${all}): its promotion loses what was confirmed to callers
      Run alter system set synchronous_commit = 'on', then select pg_reload_conf()`,
    warnIf(isHidden)`The user of DATABASE_URL may not see whether the standbys are synchronous: ${all}
      Grant pg_monitor to the user for this check, and run doctor again`,
    warnIf(!isIgnored && !isHidden && late.length > 0)`
      A standby is not synchronous (${late.map(({ name }) => name).join(', ')}): its promotion loses what was confirmed to callers in the last moments
      Name it in synchronous_standby_names, or never promote it while another standby is synchronous`,
  ]
}

/**
 * Lists slots that hold more WAL than `max_wal_size` (1 GB by default). The server keeps about as much between
 * checkpoints anyway, so the disk has room for it. What a slot holds grows until the disk is full.
 */
const listSlotProblems = ({ settings, inactiveSlots }: ServerFacts): Problems =>
  inactiveSlots.map(
    ({ name, megabytes }) => warnIf(megabytes > Number(settings.max_wal_size))`
      The replication slot ${name} holds ${megabytes} MB of WAL, and nothing is connected to it: the disk of the database will fill up
      Start the standby or subscriber that uses it, or run select pg_drop_replication_slot('${name}')`,
  )

function listCapacityProblems({ available, open }: ServerFacts, options: ServerCheckOptions): Problems {
  const needed = options.connections + options.otherConnections
  const report = needed > available ? failIf : warnIf
  return [
    report(needed + open > available)`
      PostgreSQL allows ${available} connections, others have ${open} open, and ${describeConnections(options)}
      Lower DATABASE_CONNECTIONS to ${Math.max(2, available - open - options.otherConnections)} or less, or raise max_connections`,
  ]
}

const describeConnections = ({ connections, otherConnections }: ServerCheckOptions): string =>
  `a process of this server opens up to ${connections + otherConnections} connections (DATABASE_CONNECTIONS and ${otherConnections} more)`

const CLOCK_TOLERANCE_SECONDS = 2
const MAX_CLOCK_DIFFERENCE_SECONDS = 30

const listClockProblems = (seconds: number): Problems => [
  (seconds > MAX_CLOCK_DIFFERENCE_SECONDS ? failIf : warnIf)(seconds > CLOCK_TOLERANCE_SECONDS, 'clocks')`
    The clocks of this machine and of the database differ by ${Math.round(seconds)} seconds
    Synchronize both machines by NTP (chrony, systemd-timesyncd)`,
]
