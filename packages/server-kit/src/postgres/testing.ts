import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'

/** A database for one test. */
export interface TestDatabase {
  /** Connection string of a superuser. */
  readonly url: string
  /** Drops the database, even while it has connections. */
  drop(): Promise<void>
}

/**
 * The variable with the URL of the test run's server manager, which responds with the connection string of the one PostgreSQL server of the
 * run, and starts it on the first request.
 */
export const TEST_SERVER_VARIABLE = 'MINTMARK_TEST_POSTGRES'

/** Starts a fast, disposable server. It and its data are removed when this process ends. */
export async function startTestServer(): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-test-'))
  // mkdtemp creates a private folder, which the account that runs PostgreSQL for root could not reach.
  await chmod(dataDir, 0o755)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '500',
    // How long a deadlock lasts before PostgreSQL detects it.
    deadlock_timeout: '100ms',
  }
  return startEmbeddedPostgres({ dataDir, settings, disposable: true })
}

let server: Promise<string> | undefined

/** Creates an empty database on the test run's server. Without a test run, this process starts a server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  server ??= getServerUrl()
  const url = new URL(await server)
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name} template template0`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => administer(url, `drop database if exists ${name} with (force)`) }
}

/**
 * Waits until at least `count` statements in the database of `db` wait for a lock. `db` must not be in a transaction, because
 * within one PostgreSQL returns the same activity each time.
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

async function getServerUrl(): Promise<string> {
  const managerUrl = process.env[TEST_SERVER_VARIABLE]
  if (managerUrl === undefined) return (await startTestServer()).url
  const response = await fetch(managerUrl)
  const text = await response.text()
  if (!response.ok) throw new Error(`The test run could not start PostgreSQL: ${text}`)
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
