import type { QueryExecutorProvider } from 'kysely'
import { ConfigurationError } from '../environment.ts'
import { type Blocker, endBlocker, findBlocker, type SessionIdentity } from './blocked-sessions.ts'
import { isOverload } from './errors.ts'

/** How long a session may take to end before that is reported. */
const END_TIMEOUT_MS = 5000

/** A session that was ended. */
export interface EndedSession {
  readonly sessionId: number
  readonly program: string
  /** Whether it ended within five seconds. Otherwise the database ends it as soon as it can. */
  readonly hasEnded: boolean
}

/** Records who ends which session. */
export interface SessionEndRecorder<Request> {
  /**
   * Commits that a session is to be ended. Gives up soon if a lock prevents that, with an error of
   * `isOverload`.
   */
  recordRequest(blocker: Blocker): Promise<Request>
  /** Records that the session has ended. */
  recordEnd?(request: Request): Promise<void>
}

/**
 * Ends a session of this database for which others wait. Its transaction is rolled back. The request is
 * recorded before the session is ended, unless a lock prevents that, which may be one of the session.
 *
 * @param db Connections of a role that may end sessions of Mintmark's programs: their own, not one that they
 * assume.
 * @throws ConfigurationError if no session waits for it, or the role of the connection may not end it.
 */
export async function endBlockingSession<Request>(
  db: QueryExecutorProvider,
  identity: SessionIdentity,
  recorder: SessionEndRecorder<Request>,
): Promise<EndedSession> {
  const blocker = await findBlocker(db, identity)
  if (blocker === undefined) throw blocksNothing(identity)
  if (!blocker.isOfThisDatabase) throw ofAnotherDatabase(blocker)
  if (!blocker.isEndable) throw lacksRights(blocker)
  const recorded = await recordUnlessLocked(() => recorder.recordRequest(blocker))
  const hasEnded = await endBlocker(db, identity, END_TIMEOUT_MS)
  if (hasEnded === undefined) throw blocksNothing(identity)
  const { request } = recorded ?? { request: await recorder.recordRequest(blocker) }
  if (hasEnded) await recorder.recordEnd?.(request)
  return { sessionId: blocker.sessionId, program: blocker.program, hasEnded }
}

async function recordUnlessLocked<Request>(
  record: () => Promise<Request>,
): Promise<{ readonly request: Request } | undefined> {
  try {
    return { request: await record() }
  } catch (error) {
    if (isOverload(error)) return undefined
    throw error
  }
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
