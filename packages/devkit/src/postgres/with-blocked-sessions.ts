import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'

/** Sessions of a program that wait for a lock, and the one that has it. */
export interface BlockedSessions {
  /** The session that has the lock. */
  readonly holder: pg.Client
  /** Resolves when all other sessions have the lock, and released it. */
  readonly released: Promise<unknown>
}

interface BlockingOptions {
  /** The connection string of the sessions. */
  readonly url: string
  /** How many sessions wait. Default: 1. */
  readonly count?: number
  /** Locks what the others wait for, in a transaction. */
  readonly statement?: string
  readonly program?: string
}

/** Runs work while sessions wait for a lock that another session has. Work may end that session. */
export async function withBlockedSessions(
  { url, count = 1, statement = 'select pg_advisory_xact_lock(4712)', program = 'shop' }: BlockingOptions,
  work: (sessions: BlockedSessions) => Promise<void>,
): Promise<void> {
  await using stops = new AsyncDisposableStack()
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, application_name: program })
    // The session of the lock is ended by some tests.
    client.on('error', () => {})
    await client.connect()
    stops.defer(() => client.end())
    return client
  }
  const others: pg.Client[] = []
  for (let index = 0; index < count; index += 1) others.push(await connect())
  const holder = await connect()
  await holder.query('begin')
  await holder.query(statement)
  const released = Promise.all(others.map((client) => client.query(`begin; ${statement}; rollback`)))
  // It is awaited below.
  released.catch(() => {})
  try {
    await work({ holder, released })
  } finally {
    await holder.end()
    await released
  }
}

/** A function that ends nothing, and precedes PostgreSQL's of this name on the connection. */
const CRASHING_END = `
  create schema crashing;
  create function crashing.pg_terminate_backend(int, bigint) returns boolean language plpgsql volatile
    as $$ begin raise exception 'crash'; end $$;
  set search_path = crashing, pg_catalog`

/** Runs work on a connection that fails with `crash` in place of ending a session. */
export async function withCrashingEnd<DB>(
  url: string,
  work: (db: Kysely<DB>) => Promise<void>,
): Promise<void> {
  const crashing = openDatabase<DB>({ url, max: 1 })
  try {
    await sql.raw(CRASHING_END).execute(crashing.system)
    await work(crashing.system)
  } finally {
    await sql`drop schema if exists crashing cascade`.execute(crashing.system)
    await crashing.close()
  }
}
