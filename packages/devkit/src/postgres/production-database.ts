import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@mintmark/sandbox/postgres'
import pg from 'pg'

/** A PostgreSQL server with the settings of production, and a database whose owner is no superuser. */
export interface ProductionDatabase {
  /** Connection string of the owner. */
  readonly url: string
  /** Connection string of a superuser to the same database. */
  readonly superuserUrl: string
  /** Runs statements as the superuser. */
  administer(...statements: readonly string[]): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** Starts a server of its own: other tests share one, whose settings are fast and unsafe. */
export async function startProductionDatabase(): Promise<ProductionDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-production-'))
  // mkdtemp creates a private folder, which the account that runs PostgreSQL for root could not reach.
  await chmod(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, disposable: true })
  const run = async (url: string, statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(server.url, [
    `create role owner login createrole password 'hunter2-of-the-owner'`,
    'create database production owner owner',
  ])
  const superuserUrl = new URL(server.url)
  superuserUrl.pathname = '/production'
  const url = new URL(superuserUrl)
  url.username = 'owner'
  url.password = 'hunter2-of-the-owner'
  return {
    url: url.href,
    superuserUrl: superuserUrl.href,
    administer: (...statements) => run(superuserUrl.href, statements),
    stop: () => server.stop(),
  }
}
