import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../database/tables.ts'
import type { Membership } from '../../http/authentication.ts'
import { listMemberships } from './members-store.ts'
import { type LastOperator, lockOperators } from './operators-store.ts'

/** A person whose account was removed, with the roles that ended. */
export interface RemovedAccount {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly memberships: readonly Membership[]
}

/**
 * Removes the account of an email address with its sessions, passwords, passkeys and roles, so that an
 * invitation creates a new one. Nobody can accept what the person has invited to. It may be the last owner of
 * a project: operators invite another one.
 */
export async function removeAccount(
  db: Db,
  email: string,
  { mayBeLast = false }: LastOperator = {},
): Promise<RemovedAccount | 'not found' | 'last operator'> {
  return await transaction(db, async (trx) => {
    const operators = await lockOperators(trx)
    const person = await findPersonByEmail(trx, email)
    if (person === undefined) return 'not found'
    const { personId } = person
    if (operators.has(personId)) {
      if (operators.size === 1 && !mayBeLast) return 'last operator'
      await trx.deleteFrom('gateway.operator_invitations').execute()
    }
    const memberships = await listMemberships(trx, personId)
    await trx.deleteFrom('gateway.people').where('id', '=', personId).execute()
    return { ...person, memberships }
  })
}

/** Finds who has an email address. */
export async function findPersonByEmail(
  db: Db,
  email: string,
): Promise<Omit<RemovedAccount, 'memberships'> | undefined> {
  return await db
    .selectFrom('gateway.people')
    .select(['id as personId', 'name', 'email'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
}
