import type { QueryExecutorProvider } from 'kysely'
import { ConfigurationError } from '../environment.ts'
import {
  type EndedSession,
  LISTED_SESSIONS,
  listBlockedSessions,
  type SessionIdentity,
} from '../postgres/index.ts'
import type { Command } from './command-line.ts'

interface SessionCommandOptions<Db> {
  /** Runs work on the configured database, by the user of DATABASE_URL. */
  readonly withDatabase: (work: (db: Db) => Promise<void>) => Promise<void>
  /** Ends a session and records who did so. */
  readonly endSession: (db: Db, identity: SessionIdentity, actor: string) => Promise<EndedSession>
}

/**
 * Creates the commands for sessions of the database that block others. They need no server, which may itself
 * wait for the lock.
 */
export function createSessionCommands<Db extends QueryExecutorProvider>({
  withDatabase,
  endSession,
}: SessionCommandOptions<Db>): Record<string, Command> {
  return {
    'sessions blocked': {
      summary: `Lists the ${LISTED_SESSIONS} sessions of the database that have waited longest for a lock, each with the sessions for which it waits.`,
      async run() {
        await withDatabase(async (db) => print(await listBlockedSessions(db, LISTED_SESSIONS)))
      },
    },
    'sessions end': {
      summary:
        'Ends a session that "sessions blocked" lists as a blocker. --started is its startTime. Its transaction is rolled back.',
      arguments: ['session-id'],
      options: { started: 'time', actor: 'name' },
      async run({ arguments: [id = ''], options: { started = '', actor = '' } }) {
        if (!/^\d{1,9}$/.test(id)) throw new ConfigurationError('session-id: expected the id of a session')
        if (Number.isNaN(Date.parse(started)))
          throw new ConfigurationError('--started: expected the startTime of the session')
        if (actor.trim() === '') throw new ConfigurationError('--actor: expected who ends the session')
        const identity = { sessionId: Number(id), startTime: started }
        await withDatabase(async (db) => print(await endSession(db, identity, actor)))
      },
    },
  }
}

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2))
