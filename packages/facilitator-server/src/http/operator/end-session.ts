import { operatorHealth } from '@mintmark/facilitator/operator'
import {
  type Blocker,
  type EndedSession,
  endBlockingSession,
  type SessionIdentity,
  transaction,
} from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { type DecisionRow, recordDecision, UsedKeyError } from './decisions.ts'

/** Who ends a session, and the Idempotency-Key of the call. */
type Caller = Pick<DecisionRow, 'actor' | 'idempotencyKey'>

/**
 * Ends a session of this database for which others wait, and records it among the decisions of operators.
 * Rolling back the record could not undo the end, so the record is committed first.
 *
 * @param db Connections of the schema's owner.
 * @throws ConfigurationError if no session waits for it, or the role of the connection may not end it.
 * @throws UsedKeyError if the Idempotency-Key was used for another change.
 */
export async function endSession(
  db: Kysely<Tables>,
  identity: SessionIdentity,
  caller: Caller,
): Promise<EndedSession> {
  return await endBlockingSession(db, identity, {
    recordRequest: (blocker) => recordRequest(db, blocker, caller),
  })
}

/** Records that a session is to be ended. Waits for no lock longer than a second. */
async function recordRequest(db: Kysely<Tables>, blocker: Blocker, caller: Caller): Promise<void> {
  const { sessionId, startedAt, program, databaseRole } = blocker
  const input = { sessionId, startTime: startedAt.toISOString(), program, databaseRole }
  await transaction(db, async (trx) => {
    await sql`set local lock_timeout = '1s'`.execute(trx)
    const outcome = await recordDecision(trx, {
      ...caller,
      operation: operatorHealth.endSession.id,
      subject: `session/${sessionId}`,
      input: JSON.stringify(input),
    })
    // A repeated call may continue: the session is the same one, and ends once.
    if (outcome === 'different') throw new UsedKeyError()
  })
}
