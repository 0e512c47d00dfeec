import { ConflictError } from '@mintmark/envelope'
import type { OperatorDecision } from '@mintmark/facilitator/operator'
import type { OperationShape } from '@mintmark/operation'
import { refusal, transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { OperatorDecisionsTable, OperatorInput, Tables } from '../../database/tables.ts'
import type { OperatorContext, OperatorPort } from './operator-context.ts'

/** The Idempotency-Key of a call was used for another change. */
export class UsedKeyError extends Error {
  override readonly name = 'UsedKeyError'

  constructor() {
    super('The Idempotency-Key was used for another change. Use a new key')
  }
}

/** A change to make, and how to read its result when it was already made. */
export interface Decision<Result> {
  readonly operation: OperationShape
  /** What is changed: `account/12`, `key/3`, `settlement/40` or `payer/0x…`. */
  readonly subject: string
  readonly input: OperatorInput
  /** Makes the change. */
  readonly work: (trx: Transaction<Tables>) => Promise<Result>
  /**
   * Reads the result of an earlier call with the same Idempotency-Key. Undefined if the result cannot be read
   * again.
   */
  readonly repeat?: (trx: Transaction<Tables>) => Promise<Result>
}

/**
 * Makes a change and records it, with its actor, in the same transaction: neither is stored without the
 * other. A call that repeats an Idempotency-Key waits for the first one and has no effect.
 */
export async function decide<Result>(
  { port, actor, idempotencyKey }: OperatorContext<Pick<OperatorPort, 'db'>>,
  { operation, subject, input, work, repeat }: Decision<Result>,
): Promise<Result> {
  const row = { actor, operation: operation.id, subject, input: JSON.stringify(input), idempotencyKey }
  return await transaction(port.db, async (trx) => {
    const outcome = await recordDecision(trx, row)
    if (outcome === 'recorded') return await work(trx)
    if (outcome === 'different') throw refusal(ConflictError, new UsedKeyError().message)
    if (repeat === undefined)
      throw refusal(
        ConflictError,
        'The change was made by an earlier call with this Idempotency-Key, and its result cannot be read again',
      )
    return await repeat(trx)
  })
}

export interface DecisionRow {
  readonly actor: string
  readonly operation: string
  readonly subject: string
  /** JSON. */
  readonly input: string
  readonly idempotencyKey?: string | undefined
}

/**
 * Records a decision. Of concurrent calls with the same key one records it, and the others wait for its
 * transaction.
 */
export async function recordDecision(
  trx: Transaction<Tables>,
  { actor, operation, subject, input, idempotencyKey }: DecisionRow,
): Promise<'recorded' | 'repeated' | 'different'> {
  const { rows } = await sql`
    insert into facilitator.operator_decisions (actor, operation, subject, input, idempotency_key)
    values (${actor}, ${operation}, ${subject}, ${input}::jsonb, ${idempotencyKey ?? null})
    on conflict (idempotency_key) do nothing returning id`.execute(trx)
  if (rows.length === 1) return 'recorded'
  const same = await sql`
    select id from facilitator.operator_decisions
    where idempotency_key = ${idempotencyKey ?? null} and actor = ${actor} and operation = ${operation}
      and subject = ${subject} and input = ${input}::jsonb`.execute(trx)
  return same.rows.length === 1 ? 'repeated' : 'different'
}

/** Lists decisions, newest first: at most `size` of them, older than `before`. */
export async function listDecisions(
  db: Kysely<Tables>,
  { subject, before, size }: { subject: string | undefined; before: number | undefined; size: number },
): Promise<OperatorDecision[]> {
  let query = db.selectFrom('facilitator.operator_decisions').selectAll().orderBy('id', 'desc').limit(size)
  if (subject !== undefined) query = query.where('subject', '=', subject)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()).map(toDecision)
}

function toDecision({
  id,
  actor,
  operation,
  subject,
  input,
  created_at,
}: Selectable<OperatorDecisionsTable>): OperatorDecision {
  const { reason, amount, program } = input
  return {
    id,
    actor,
    operation,
    subject,
    reason: typeof reason === 'string' ? reason : '',
    ...(typeof amount === 'string' && { amount }),
    ...(typeof program === 'string' && { program }),
    createTime: created_at.toISOString(),
  }
}
