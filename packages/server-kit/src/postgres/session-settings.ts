import type pg from 'pg'
import { ReadOnlyDatabaseError } from './errors.ts'

/** Settings of PostgreSQL for a session, by name. */
export type SessionSettings = Readonly<Record<string, string>>

/**
 * The message of pg for a query that exceeds its own timeout. These errors have neither a class nor a code.
 */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout'

/**
 * Sets settings of a connection, and checks that its server accepts writes unless it may be a standby. The settings are no startup
 * parameters, because PgBouncer refuses connections with parameters that it does not track.
 *
 * A pool in front of PostgreSQL accepts a connection at once and lets its first statement wait for a free
 * session, so the wait is limited here.
 *
 * @throws ReadOnlyDatabaseError
 */
export async function setUpSession(
  client: pg.ClientBase,
  settings: SessionSettings,
  timeoutMs: number | undefined,
  acceptsStandby = false,
): Promise<void> {
  const entries = Object.entries(settings)
  const calls = entries.map((_, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, false)`)
  // The type declarations of pg lack the timeout of a single query.
  const query: pg.QueryConfig & { query_timeout?: number } = {
    text: `select ${[IS_READ_ONLY, ...calls].join(', ')}`,
    values: entries.flat(),
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  }
  const { rows } = await client.query<{ readOnly: boolean }>(query)
  if (rows[0]?.readOnly && !acceptsStandby) throw new ReadOnlyDatabaseError()
}

/** Also true on a standby. */
const IS_READ_ONLY = `current_setting('transaction_read_only')::boolean as "readOnly"`

/** Checks that the server of a connection accepts writes. @throws ReadOnlyDatabaseError */
export async function checkWritable(client: pg.ClientBase): Promise<void> {
  await setUpSession(client, {}, undefined)
}
