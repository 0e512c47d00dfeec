import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
 * The variable with the URL of the test run's server manager, which responds with the connection string of
 * the one PostgreSQL server of the run, and starts it on the first request.
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

/** A database that is prepared once per server and copied for each test. */
export interface TestTemplate {
  /**
   * A name of lower-case letters and underscores. Templates of the same name must be prepared in the same
   * way.
   */
  readonly name: string
  /** Fills the empty database at `url`, with migrations for example, and closes its connections. */
  prepare(url: string): Promise<unknown>
}

let server: Promise<string> | undefined

/**
 * Creates a database on the test run's server: an empty one, or a copy of a template. Without a test run,
 * this process starts a server.
 *
 * @example
 * const { url, drop } = await createTestDatabase({ name: 'shop', prepare: (url) => migrate(url, shopSchema) })
 */
export async function createTestDatabase(template?: TestTemplate): Promise<TestDatabase> {
  server ??= getServerUrl()
  const url = new URL(await server)
  const source = template === undefined ? 'template0' : await ensureTemplate(url, template)
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(url, (client) => createCopy(client, name, source))
  return { url: withDatabase(url, name), drop: () => administer(url, (client) => drop(client, name)) }
}

async function getServerUrl(): Promise<string> {
  const managerUrl = process.env[TEST_SERVER_VARIABLE]
  if (managerUrl === undefined) return (await startTestServer()).url
  const response = await fetch(managerUrl)
  const text = await response.text()
  if (!response.ok) throw new Error(`The test run could not start PostgreSQL: ${text}`)
  return text
}

const templates = new Map<string, Promise<string>>()

/** Prepares a template unless this process or another one has. Returns the name of its database. */
async function ensureTemplate(url: URL, template: TestTemplate): Promise<string> {
  const known = templates.get(template.name)
  if (known !== undefined) return await known
  const prepared = administer(url, (client) => prepareTemplate(client, url, template))
  templates.set(template.name, prepared)
  return await prepared
}

async function prepareTemplate(
  client: pg.Client,
  url: URL,
  { name, prepare }: TestTemplate,
): Promise<string> {
  const database = `template_${name}`
  // Processes of the run prepare it one after another. The lock ends with the connection.
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [database])
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount !== 0) return database
  const unfinished = `${database}_unfinished`
  await drop(client, unfinished)
  await createCopy(client, unfinished, 'template0')
  await prepare(withDatabase(url, unfinished))
  await client.query(`alter database ${unfinished} rename to ${database}`)
  return database
}

async function createCopy(client: pg.Client, name: string, source: string): Promise<void> {
  // Copying files is faster than logging each block, which is the default.
  await client.query(`create database ${name} template ${source} strategy file_copy`)
}

async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`)
}

function withDatabase(url: URL, name: string): string {
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}

async function administer<Result>(url: URL, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
