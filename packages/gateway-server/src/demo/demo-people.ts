import { randomUUID } from 'node:crypto'
import { Role } from '@mintmark/admin'
import { transaction } from '@mintmark/server-kit'
import { hashPassword } from 'better-auth/crypto'
import type { Db } from '../database/tables.ts'
import { addPerson } from '../domains/people/invitations-store.ts'
import { addMember } from '../domains/people/members-store.ts'
import { addOperator } from '../domains/people/operators-store.ts'

/** The people of the demo data, one for each role. The owner operates the server too. */
export const DEMO_PEOPLE = [
  { name: 'Olivia Owner', email: 'owner@demo.example', role: Role.OWNER },
  { name: 'Max Manager', email: 'manager@demo.example', role: Role.MANAGER },
  { name: 'Sam Staff', email: 'staff@demo.example', role: Role.STAFF },
  { name: 'Audrey Auditor', email: 'auditor@demo.example', role: Role.AUDITOR },
] as const

/**
 * Adds the demo people to a project, and gives all of them a password. Idempotent: people who exist keep
 * theirs.
 */
export async function seedPeople(
  db: Db,
  {
    project,
    password,
    wallet,
  }: { readonly project: number; readonly password: string; readonly wallet: string },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await transaction(db, async (trx) => {
    for (const { name, email, role } of DEMO_PEOPLE) {
      const existing = await trx
        .selectFrom('gateway.people')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst()
      const personId = existing?.id ?? randomUUID()
      if (existing === undefined) await addPerson(trx, { personId, email, name, passwordHash })
      await addMember(trx, { project_id: project, person_id: personId, role, wallet })
      if (role === Role.OWNER) await addOperator(trx, personId)
    }
  })
}
