import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../tables.ts'

/** A person who is an operator of this server. */
export interface OperatorRow {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly hasSecondFactor: boolean
  /** When the newest session was last used; null if there is none. */
  readonly lastSeenAt: Date | null
}

const selectOperators = (db: Db) =>
  db
    .selectFrom('gateway.people as person')
    .select(['person.id as personId', 'person.name', 'person.email'])
    .select('person.has_second_factor as hasSecondFactor')
    .select((select) =>
      select
        .selectFrom('gateway.people_sessions as session')
        .select(({ fn }) => fn.max('session.updated_at').as('seen'))
        .whereRef('session.person_id', '=', 'person.id')
        .as('lastSeenAt'),
    )
    .where('person.is_operator', '=', true)

/** Lists the operators of this server by name. */
export async function listOperators(db: Db): Promise<OperatorRow[]> {
  return await selectOperators(db).orderBy('person.name').orderBy('person.id').execute()
}

/** Finds the operator with an email address. */
export async function findOperator(db: Db, email: string): Promise<OperatorRow | undefined> {
  return await selectOperators(db).where('person.email', '=', email.toLowerCase()).executeTakeFirst()
}

/**
 * Makes a person an operator of this server, or ends that. Returns false if nobody has the email address. It
 * ends the last one's right too: whoever calls this has the database, and can make another operator.
 */
export async function setOperator(db: Db, email: string, isOperator: boolean): Promise<boolean> {
  const result = await db
    .updateTable('gateway.people')
    .set({ is_operator: isOperator })
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export type RevokeResult = 'revoked' | 'not found' | 'last operator'

/** Ends that a person is an operator. A server that has an operator keeps at least one. */
export async function revokeOperator(db: Db, personId: string): Promise<RevokeResult> {
  return await transaction(db, async (trx) => {
    // The lock on all operators makes two who revoke each other concurrently wait for each other.
    const rows = await trx
      .selectFrom('gateway.people')
      .select('id')
      .where('is_operator', '=', true)
      .orderBy('id')
      .forUpdate()
      .execute()
    if (!rows.some(({ id }) => id === personId)) return 'not found'
    if (rows.length === 1) return 'last operator'
    await trx.updateTable('gateway.people').set({ is_operator: false }).where('id', '=', personId).execute()
    return 'revoked'
  })
}
