import pg from 'pg'
import type { PostgresServer } from './postgres-server.ts'

/** Runs statements of an administrator, one by one. */
export async function administer(
  server: Pick<PostgresServer, 'getUrl'>,
  ...statements: string[]
): Promise<void> {
  const client = new pg.Client({ connectionString: server.getUrl('postgres', 'postgres') })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
