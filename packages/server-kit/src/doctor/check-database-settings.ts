import type { DatabaseReader } from './database-reader.ts'
import { type Outcome, reportError, reportOk, reportWarning } from './finding.ts'

const MIN_VERSION = 150_000

/** Checks the version of PostgreSQL, and whether its commits survive a crash. */
export async function checkServer(db: DatabaseReader): Promise<Outcome[]> {
  const [row] = await db.query<ServerState>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites"`)
  if (row === undefined) return []
  return describeServer(row)
}

export interface ServerState {
  readonly version: string
  readonly number: number
  readonly fsync: string
  readonly fullPageWrites: string
}

export function describeServer({ version, number, fsync, fullPageWrites }: ServerState): Outcome[] {
  const outcomes = [
    number < MIN_VERSION
      ? reportError(`PostgreSQL ${version} is too old`, 'Upgrade to PostgreSQL 15 or later')
      : reportOk(`PostgreSQL ${version} responds`),
  ]
  const unsafe = [fsync === 'off' && 'fsync', fullPageWrites === 'off' && 'full_page_writes'].filter(Boolean)
  if (unsafe.length > 0)
    outcomes.push(
      reportError(
        `${unsafe.map((setting) => `${setting} = off`).join(', ')}: a crash of the database server destroys data`,
        `Run alter system reset ${unsafe[0]} as a superuser, then select pg_reload_conf()`,
      ),
    )
  return outcomes
}

/** Settings of a session that the servers rely on. */
interface SessionState {
  readonly user: string
  readonly database: string
  readonly isSuperuser: boolean
  readonly isolation: string
  readonly synchronousCommit: string
  /** Milliseconds, 0 for none. */
  readonly statementTimeout: number
  readonly transactionTimeout: number
  readonly idleSessionTimeout: number
  readonly isEncrypted: boolean
  readonly isRemote: boolean
}

/** Checks what the database gives to each new session: its user, timeouts, isolation and encryption. */
export async function checkSession(db: DatabaseReader): Promise<Outcome[]> {
  const [row] = await db.query<SessionState>(`
    select quote_ident(current_user) as user, quote_ident(current_database()) as database,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      current_setting('default_transaction_isolation') as isolation,
      current_setting('synchronous_commit') as "synchronousCommit",
      (select setting::int from pg_settings where name = 'statement_timeout') as "statementTimeout",
      coalesce((select setting::int from pg_settings where name = 'transaction_timeout'), 0) as "transactionTimeout",
      (select setting::int from pg_settings where name = 'idle_session_timeout') as "idleSessionTimeout",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      coalesce(not (inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1'), false) as "isRemote"`)
  return row === undefined ? [] : describeSession(row)
}

function describeSession(state: SessionState): Outcome[] {
  const { user, database } = state
  const outcomes: Outcome[] = []
  const reset = (setting: string) =>
    `Run alter role ${user} reset ${setting}, also for the database (alter database ${database} reset ${setting})`
  if (state.isSuperuser)
    outcomes.push(
      reportWarning(
        `The user ${user} is a superuser, so an error of the server could change every database`,
        `Create a user that owns only the database ${database}, and name it in DATABASE_URL`,
      ),
    )
  if (state.isolation !== 'read committed')
    outcomes.push(
      reportError(
        `default_transaction_isolation is "${state.isolation}", and the servers rely on "read committed"`,
        reset('default_transaction_isolation'),
      ),
    )
  if (state.synchronousCommit === 'off')
    outcomes.push(
      reportError(
        'synchronous_commit is off: a crash loses payments that were confirmed to callers',
        reset('synchronous_commit'),
      ),
    )
  for (const [setting, value] of [
    ['statement_timeout', state.statementTimeout],
    ['transaction_timeout', state.transactionTimeout],
  ] as const) {
    if (value > 0)
      outcomes.push(
        reportWarning(
          `${setting} of ${user} is ${value} ms, which also ends migrations, the indexer and the audit`,
          `${reset(setting)}. Calls are limited by DATABASE_STATEMENT_TIMEOUT_MS`,
        ),
      )
  }
  if (state.idleSessionTimeout > 0)
    outcomes.push(
      reportWarning(
        `idle_session_timeout is ${state.idleSessionTimeout} ms, which closes the servers' idle connections`,
        reset('idle_session_timeout'),
      ),
    )
  if (state.isRemote && !state.isEncrypted)
    outcomes.push(
      reportWarning(
        'The connection to the database is not encrypted',
        'Add ?sslmode=verify-full to DATABASE_URL',
      ),
    )
  return outcomes
}

const CLOCK_TOLERANCE_MS = 2_000
const MAX_CLOCK_DIFFERENCE_MS = 30_000

/** Compares the clock of the database with the clock of this machine. */
export async function checkDatabaseClock(db: DatabaseReader, now: () => number): Promise<Outcome[]> {
  const before = now()
  const [row] = await db.query<{ time: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as time`,
  )
  const after = now()
  if (row === undefined) return []
  // The database read its clock at some time between the two.
  const difference = Math.max(row.time - after, before - row.time, 0)
  return [{ ...describeClock(difference), area: 'clocks' }]
}

function describeClock(difference: number): Outcome {
  if (difference <= CLOCK_TOLERANCE_MS)
    return reportOk('The clocks of this machine and of the database agree')
  const message = `The clocks of this machine and of the database differ by ${Math.round(difference / 1000)} seconds`
  const action = 'Synchronize both machines by NTP (chrony, systemd-timesyncd)'
  return difference > MAX_CLOCK_DIFFERENCE_MS ? reportError(message, action) : reportWarning(message, action)
}
