import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'

/** A database of a test's own. */
export interface TestDatabase {
  /** Connection string of a superuser. */
  readonly url: string
  /** Removes the database, whoever is still connected to it. */
  drop(): Promise<void>
}

/**
 * The variable by which a test run tells its processes where to ask for the run's one server: an address that answers
 * with the server's connection string, and starts the server when it is first asked.
 */
export const testServerVariable = 'MINTMARK_TEST_POSTGRES'

/** Starts a server that forgets: as fast as it can be, and gone without a trace when this process ends. */
export async function startTestServer(): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-test-'))
  // Private as it is made, and then out of reach for the account that runs PostgreSQL for root.
  await chmod(dataDir, 0o755)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '500',
    // How long a deadlock lasts before it is noticed.
    deadlock_timeout: '100ms',
  }
  return startEmbeddedPostgres({ dataDir, settings, disposable: true })
}

let server: Promise<string> | undefined

/** A new, empty database on the test run's server, or on a server of this process where there is no such run. */
export async function testDatabase(): Promise<TestDatabase> {
  server ??= serverUrl()
  const url = new URL(await server)
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name} template template0`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => administer(url, `drop database if exists ${name} with (force)`) }
}

/**
 * Waits until at least `count` statements in the database of `db` wait for a lock. `db` is outside of transactions: within one,
 * PostgreSQL answers the same activity each time.
 */
export async function waitForBlockedStatements<Tables>(db: Kysely<Tables>, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ blocked: number }>`
      select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if ((rows[0]?.blocked ?? 0) >= count) return
    await pause(10)
  }
}

async function serverUrl(): Promise<string> {
  const desk = process.env[testServerVariable]
  if (desk === undefined) return (await startTestServer()).url
  const answer = await fetch(desk)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the test run has no PostgreSQL: ${text}`)
  return text
}

async function administer(url: URL, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
