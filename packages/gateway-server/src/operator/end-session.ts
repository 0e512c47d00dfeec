import { ConfigurationError, isOverload, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../tables.ts'
import { type Blocker, endBlocker, findBlocker, type SessionIdentity } from './blocked-sessions.ts'

/** How long a session may take to end before that is reported. */
const END_TIMEOUT_MS = 5000

/** A session that was ended. */
export interface EndedSession {
  readonly sessionId: number
  readonly program: string
  /** Whether it ended within five seconds. Otherwise the database ends it as soon as it can. */
  readonly hasEnded: boolean
}

/**
 * Ends a session of this database for which others wait. Its transaction is rolled back. The request is committed for the audit log before the session is ended, unless a
 * lock prevents that, which may be one of the session.
 *
 * @throws ConfigurationError if no session waits for it, or the role of the connection may not end it.
 */
export async function endSession(db: Db, identity: SessionIdentity): Promise<EndedSession> {
  const blocker = await findBlocker(db, identity)
  if (blocker === undefined) throw blocksNothing(identity)
  if (!blocker.isOfThisDatabase) throw ofAnotherDatabase(blocker)
  if (!blocker.isEndable) throw lacksRights(blocker)
  const id = await insertEnd(db, blocker).catch((error: unknown) => {
    if (isOverload(error)) return undefined
    throw error
  })
  const hasEnded = await endBlocker(db, identity, END_TIMEOUT_MS)
  if (hasEnded === undefined) throw blocksNothing(identity)
  const recorded = id ?? (await insertEnd(db, blocker))
  if (hasEnded) await setEnded(db, recorded)
  return { sessionId: blocker.sessionId, program: blocker.program, hasEnded }
}

const blocksNothing = ({ sessionId }: SessionIdentity) =>
  new ConfigurationError(`No session waits for the session ${sessionId}. Read the health again`)

const ofAnotherDatabase = ({ sessionId }: Blocker) =>
  new ConfigurationError(
    `The session ${sessionId} belongs to another database, whose sessions this server does not end. End its program`,
  )

function lacksRights({ sessionId, databaseRole, ownRole }: Blocker): ConfigurationError {
  const role = databaseRole === '' ? 'the database itself' : `the role ${databaseRole}`
  return new ConfigurationError(
    `The session ${sessionId} belongs to ${role}, and ${ownRole}, the database role of this server, may not end it. End its program, or grant pg_signal_backend and pg_read_all_stats to ${ownRole}; sessions of superusers can be ended by superusers only`,
  )
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
