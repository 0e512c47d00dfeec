import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../database/tables.ts'
import { LAST_SEEN } from './members-store.ts'

/** A person who is an operator of this server. */
export interface OperatorRow {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly hasSecondFactor: boolean
  /** When the newest session was last used; null if there is none. */
  readonly lastSeenAt: Date | null
}

/** Lists the operators of this server by name. */
export async function listOperators(db: Db): Promise<OperatorRow[]> {
  return await db
    .selectFrom('gateway.people as person')
    .select(['person.id as personId', 'person.name', 'person.email'])
    .select('person.has_second_factor as hasSecondFactor')
    .select(LAST_SEEN)
    .where('person.is_operator', '=', true)
    .orderBy('person.name')
    .orderBy('person.id')
    .execute()
}

/** Makes a person an operator of this server. */
export async function addOperator(trx: Db, personId: string): Promise<void> {
  await trx.updateTable('gateway.people').set({ is_operator: true }).where('id', '=', personId).execute()
}

/** Whether an operation may leave the server without an operator. */
export interface LastOperator {
  /** Whether the caller has the database, and can invite another operator. Default false. */
  readonly mayBeLast?: boolean
}

export type RevokeResult = 'revoked' | 'not found' | 'last operator'

/**
 * Ends that a person is an operator, and all open invitations of operators, because the person may have the
 * link of one. A server that has an operator keeps at least one.
 */
export async function revokeOperator(
  db: Db,
  personId: string,
  { mayBeLast = false }: LastOperator = {},
): Promise<RevokeResult> {
  return await transaction(db, async (trx) => {
    const operators = await lockOperators(trx)
    if (!operators.has(personId)) return 'not found'
    if (operators.size === 1 && !mayBeLast) return 'last operator'
    await trx.deleteFrom('gateway.operator_invitations').execute()
    await trx.updateTable('gateway.people').set({ is_operator: false }).where('id', '=', personId).execute()
    return 'revoked'
  })
}

/** Locks all operators, so that two who revoke each other concurrently wait for each other. */
export async function lockOperators(trx: Db): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('gateway.people')
    .select('id')
    .where('is_operator', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}
