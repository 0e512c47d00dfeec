import {
  type Blocker,
  type EndedSession,
  endBlockingSession,
  type SessionIdentity,
  transaction,
} from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../database/tables.ts'

/**
 * Ends a session of this database for which others wait, and records it for the audit log.
 *
 * @throws ConfigurationError if no session waits for it, or the role of the connection may not end it.
 */
export async function endSession(db: Db, identity: SessionIdentity): Promise<EndedSession> {
  return await endBlockingSession(db, identity, {
    recordRequest: (blocker) => insertEnd(db, blocker),
    recordEnd: (id) => setEnded(db, id),
  })
}

/** Records that a session is to be ended. Waits for no lock longer than a second. Returns the row's id. */
async function insertEnd(db: Db, blocker: Blocker): Promise<number> {
  return await transaction(db, async (trx) => {
    await sql`set local lock_timeout = '1s'`.execute(trx)
    const { id } = await trx
      .insertInto('gateway.session_ends')
      .values({
        session_id: blocker.sessionId,
        started_at: blocker.startedAt,
        program: blocker.program,
        database_role: blocker.databaseRole,
        blocked_sessions: blocker.blockedSessions,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

async function setEnded(db: Db, id: number): Promise<void> {
  await db
    .updateTable('gateway.session_ends')
    .set({ ended_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}
