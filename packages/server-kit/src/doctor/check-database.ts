import type pg from 'pg'
import { connectClient, hasSharedSessions, type MigrationPlan } from '../postgres/index.ts'
import { type Capacity, checkCapacity } from './check-capacity.ts'
import { checkDatabaseClock, checkServer, checkSession } from './check-database-settings.ts'
import { describePool } from './check-pool.ts'
import { checkRole, checkRowSecurity, checkSchemaVersion } from './check-schema.ts'
import { checkStandbys } from './check-standbys.ts'
import { describeConnectionFailure } from './connection-failure.ts'
import type { DatabaseProbe, DatabaseReader } from './database-reader.ts'
import { type Check, type Outcome, reportError, reportOk, reportWarning } from './finding.ts'

export interface DatabaseCheckOptions {
  /** Undefined if it is not set or invalid. */
  readonly url: string | undefined
  readonly plan: MigrationPlan
  /** The extensions that the schema needs. */
  readonly extensions: readonly string[]
  readonly capacity: Capacity | undefined
  /** Checks of the server's own tables. They run when the schema fits the program. */
  readonly probes: readonly DatabaseProbe[]
  /** Milliseconds. Default: the clock of this machine. */
  readonly now?: () => number
}

const CLIENT_OPTIONS = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 5_000,
  application_name: 'mintmark-doctor',
}

/** Creates the check of the database. Without a connection there is one finding: why. */
export function createDatabaseCheck(options: DatabaseCheckOptions): Check {
  const { url } = options
  return {
    area: 'database',
    name: 'The database',
    run: async (signal) => (url === undefined ? [] : await checkDatabase(url, options, signal)),
  }
}

async function checkDatabase(
  url: string,
  options: DatabaseCheckOptions,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  let client: pg.Client
  try {
    client = await connectClient(url, CLIENT_OPTIONS)
  } catch (failure) {
    return [describeConnectionFailure(failure)]
  }
  signal.addEventListener('abort', () => {
    // A server that does not respond must not keep this process alive. The type declarations of pg lack
    // `unref`.
    const unreferenced: pg.Client & { unref?: () => void } = client
    unreferenced.unref?.()
    void client.end()
  })
  try {
    const pool = await checkPool(url)
    // What else a shared session shows would mislead.
    if (pool.length > 0) return pool
    return await runProbes(toReader(client, url), options)
  } finally {
    await client.end()
  }
}

async function checkPool(url: string): Promise<Outcome[]> {
  try {
    return describePool(await hasSharedSessions(url))
  } catch (failure) {
    return [describeConnectionFailure(failure)]
  }
}

function toReader(client: pg.Client, url: string): DatabaseReader {
  return {
    url,
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      return (await client.query<Row>(text, [...values])).rows
    },
  }
}

async function runProbes(db: DatabaseReader, options: DatabaseCheckOptions): Promise<readonly Outcome[]> {
  const { plan, capacity, extensions, probes, now = Date.now } = options
  const outcomes: Outcome[] = []
  const run = async (name: string, probe: DatabaseProbe) => {
    const found = await runProbe(db, name, probe)
    outcomes.push(...found)
    return found.every(({ level }) => level !== 'error')
  }
  await run('The server', checkServer)
  await run('The session', checkSession)
  await run('The standbys', checkStandbys)
  await run('The clock', (reader) => checkDatabaseClock(reader, now))
  await run('Encoding and collation', checkText)
  await run('Extensions', (reader) => checkExtensions(reader, extensions))
  if (capacity !== undefined) await run('Connections', (reader) => checkCapacity(reader, capacity))
  const hasSchema = await run('The schema', (reader) => checkSchemaVersion(reader, plan))
  await run('The role', (reader) => checkRole(reader, plan))
  if (!hasSchema) return outcomes
  await run('Row-level security', (reader) => checkRowSecurity(reader, plan))
  for (const probe of probes) await run('The stored data', probe)
  return outcomes
}

async function runProbe(db: DatabaseReader, name: string, probe: DatabaseProbe): Promise<readonly Outcome[]> {
  // Nothing that a probe does can change the database.
  await db.query('begin read only')
  try {
    return await probe(db)
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    return [
      reportError(`${name} could not be checked: ${reason}`, 'Check the rights of the user of DATABASE_URL'),
    ]
  } finally {
    await db.query('rollback')
  }
}

async function checkText(db: DatabaseReader): Promise<Outcome[]> {
  const [row] = await db.query<{ encoding: string; isStale: boolean; bytes: string }>(`
    select pg_encoding_to_char(encoding) as encoding,
      coalesce(datcollversion <> pg_database_collation_actual_version(oid), false) as "isStale",
      pg_size_pretty(pg_database_size(oid)) as bytes
    from pg_database where datname = current_database()`)
  const outcomes: Outcome[] = []
  if (row?.encoding !== 'UTF8')
    outcomes.push(
      reportError(
        `The encoding of the database is ${row?.encoding}`,
        "Create the database with encoding 'UTF8'",
      ),
    )
  if (row?.isStale)
    outcomes.push(
      reportWarning(
        "The operating system's collation has changed, so indexes of texts may be wrong",
        'Run reindex database, then alter database … refresh collation version',
      ),
    )
  return outcomes.length > 0 ? outcomes : [reportOk(`The database has ${row?.bytes} in UTF8`)]
}

async function checkExtensions(db: DatabaseReader, extensions: readonly string[]): Promise<Outcome[]> {
  const rows = await db.query<{ name: string; available: boolean }>(
    `select required.name, exists (select from pg_available_extensions e where e.name = required.name) as available
     from unnest($1::text[]) as required (name)
     where not exists (select from pg_extension e where e.extname = required.name)`,
    [extensions],
  )
  return rows.map(({ name, available }) =>
    reportError(
      `The extension ${name} is not installed in the database`,
      available
        ? `Run migrate as the owner of the database, or create extension ${name} as an administrator`
        : `Install PostgreSQL's package "contrib" on the database server, then run migrate`,
    ),
  )
}
