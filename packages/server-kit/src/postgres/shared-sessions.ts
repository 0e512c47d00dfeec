import type pg from 'pg'
import { connectClient } from './connect-client.ts'
import { ServerAddresses } from './server-addresses.ts'

/** More rounds than it takes to notice a pool whose other users take and return sessions at the same time. */
const ROUNDS = 10
const TIMEOUT_MS = 10_000
const OPTIONS = {
  connectionTimeoutMillis: TIMEOUT_MS,
  query_timeout: TIMEOUT_MS,
  application_name: 'mintmark-doctor',
}

/**
 * Whether connections share sessions of PostgreSQL, as in a pool in transaction or statement mode. Then the
 * project, the role and the prepared statements of a connection are those of whoever used the session before.
 *
 * Behind a pool in session mode, as without a pool, each of two open connections has a server process of its
 * own, which stays the same.
 */
export async function hasSharedSessions(url: string): Promise<boolean> {
  const servers = new ServerAddresses(url)
  const first = await connectClient(servers, OPTIONS)
  const second = await connectClient(servers, OPTIONS).catch(async (error: unknown) => {
    await first.end()
    throw error
  })
  try {
    const one = await readProcess(first)
    const other = await readProcess(second)
    let isShared = one === other
    for (let round = 0; round < ROUNDS && !isShared; round += 1) {
      isShared = await changesProcess({ first, second, one, other })
    }
    return isShared
  } finally {
    await Promise.all([first.end(), second.end()])
  }
}

async function changesProcess({
  first,
  second,
  one,
  other,
}: {
  readonly first: pg.Client
  readonly second: pg.Client
  readonly one: number
  readonly other: number
}): Promise<boolean> {
  // The second connection keeps whatever session it gets, so that the first one gets another unless it has
  // its own.
  await second.query('begin')
  try {
    return (await readProcess(second)) !== other || (await readProcess(first)) !== one
  } finally {
    await second.query('rollback')
  }
}

async function readProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL did not return the process of a session')
  return row.pid
}
