import type pg from 'pg'

/**
 * Runs work on a connection that holds the advisory lock of a name. Returns undefined without running it
 * while another connection holds the lock. A failure closes the connection: the database then rolls its
 * transaction back and releases the lock, also if the connection is broken.
 */
export async function runWithLock<Result>(
  pool: pg.Pool,
  name: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  const client = await pool.connect()
  try {
    const result = await runIfFree(client, name, work)
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function runIfFree<Result>(
  client: pg.PoolClient,
  name: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [name],
  )
  if (!rows[0]?.locked) return undefined
  const result = await work(client)
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
  return result
}
