import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { LISTED_SESSIONS, listBlockedSessions } from '../operator/blocked-sessions.ts'
import { endSession } from '../operator/end-session.ts'
import { print, withDatabase } from './command-database.ts'

/** Commands for sessions of the database that block others. They need no server, which may itself wait for the lock. */
export const sessionCommands: Record<string, Command> = {
  'sessions blocked': {
    summary: `Lists the ${LISTED_SESSIONS} sessions of the database that have waited longest for a lock, each with the sessions for which it waits.`,
    async run() {
      await withDatabase('sessions', async (db) => print(await listBlockedSessions(db, LISTED_SESSIONS)))
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
      await withDatabase('sessions', async (db) => print(await endSession(db, identity)))
    },
  },
}
