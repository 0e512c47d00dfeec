import type { Role } from '@mintmark/admin'
import { transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../database/tables.ts'
import type { Membership } from '../../http/authentication.ts'

/** A person with a role in a project. */
export interface Member {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly hasSecondFactor: boolean
  readonly role: Role
  readonly wallet: string
  readonly createdAt: Date
  /** When the newest session was last used; null if there is none. */
  readonly lastSeenAt: Date | null
}

/** When somebody was last active in any session; null without a session. For queries whose people are `person`. */
export const LAST_SEEN = sql<Date | null>`(
  select max(updated_at) from gateway.people_sessions where person_id = person.id)`.as('lastSeenAt')

const selectMembers = (db: Db, project: number) =>
  db
    .selectFrom('gateway.members as member')
    .innerJoin('gateway.people as person', 'person.id', 'member.person_id')
    .select([
      'person.id as personId',
      'person.name',
      'person.email',
      'person.has_second_factor as hasSecondFactor',
      'member.role',
      'member.wallet',
      'member.created_at as createdAt',
    ])
    .select(LAST_SEEN)
    .where('member.project_id', '=', project)

/** Lists the people of a project by name. */
export async function listMembers(db: Db, project: number): Promise<Member[]> {
  return await selectMembers(db, project).orderBy('person.name').orderBy('person.id').execute()
}

export async function findMember(db: Db, project: number, personId: string): Promise<Member | undefined> {
  return await selectMembers(db, project).where('person.id', '=', personId).executeTakeFirst()
}

/** Whether the person with an email address has a role in a project. */
export async function isMember(db: Db, project: number, email: string): Promise<boolean> {
  const member = await selectMembers(db, project).where('person.email', '=', email).executeTakeFirst()
  return member !== undefined
}

/** Whether a project has an owner. */
export async function hasOwner(db: Db, project: number): Promise<boolean> {
  const owner = await db
    .selectFrom('gateway.members')
    .select('id')
    .where('project_id', '=', project)
    .where('role', '=', 'OWNER')
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

export async function countMembers(db: Db, project: number): Promise<number> {
  const { members } = await db
    .selectFrom('gateway.members')
    .select(({ fn }) => fn.countAll<number>().as('members'))
    .where('project_id', '=', project)
    .executeTakeFirstOrThrow()
  return members
}

/** What a person may do: everywhere, and in one project. */
export interface Permissions {
  readonly isOperator: boolean
  readonly hasSecondFactor: boolean
  readonly memberships: readonly Membership[]
}

/** Finds what a person may do in all projects. */
export async function findPermissions(db: Db, personId: string): Promise<Permissions | undefined> {
  const person = await db
    .selectFrom('gateway.people')
    .select(['is_operator as isOperator', 'has_second_factor as hasSecondFactor'])
    .where('id', '=', personId)
    .executeTakeFirst()
  if (person === undefined) return undefined
  return { ...person, memberships: await listMemberships(db, personId) }
}

/** Lists the projects in which a person has a role, by name. */
export async function listMemberships(db: Db, personId: string): Promise<Membership[]> {
  return await db
    .selectFrom('gateway.members as member')
    .innerJoin('gateway.projects as project', 'project.id', 'member.project_id')
    .select(['project.id as projectId', 'project.name as projectName', 'member.role', 'member.wallet'])
    .where('member.person_id', '=', personId)
    .orderBy('project.name')
    .execute()
}

export interface MemberChanges {
  readonly role?: Role | undefined
  readonly wallet?: string | undefined
}

export type ChangeResult = 'changed' | 'not found' | 'last owner'

/**
 * Changes the role or the wallet of a person. Every project that has an owner keeps at least one.
 */
export async function updateMember(
  db: Db,
  project: number,
  personId: string,
  { role, wallet }: MemberChanges,
): Promise<ChangeResult> {
  return await transaction(db, async (trx) => {
    const problem = await lockMember(trx, project, personId, role === undefined || role === 'OWNER')
    if (problem !== undefined) return problem
    if (role === undefined && wallet === undefined) return 'changed'
    await trx
      .updateTable('gateway.members')
      .set({ ...(role !== undefined && { role }), ...(wallet !== undefined && { wallet }) })
      .where('project_id', '=', project)
      .where('person_id', '=', personId)
      .execute()
    return 'changed'
  })
}

/** Removes a person from a project. */
export async function removeMember(db: Db, project: number, personId: string): Promise<ChangeResult> {
  return await transaction(db, async (trx) => {
    const problem = await lockMember(trx, project, personId, false)
    if (problem !== undefined) return problem
    await trx
      .deleteFrom('gateway.members')
      .where('project_id', '=', project)
      .where('person_id', '=', personId)
      .execute()
    return 'changed'
  })
}

/** Locks the owners of a project and a member, so that two owners cannot remove each other concurrently. */
async function lockMember(
  trx: Db,
  project: number,
  personId: string,
  staysOwner: boolean,
): Promise<Exclude<ChangeResult, 'changed'> | undefined> {
  const rows = await trx
    .selectFrom('gateway.members')
    .select(['person_id', 'role'])
    .where('project_id', '=', project)
    .where((where) => where.or([where('role', '=', 'OWNER'), where('person_id', '=', personId)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const member = rows.find((row) => row.person_id === personId)
  if (member === undefined) return 'not found'
  const owners = rows.filter(({ role }) => role === 'OWNER')
  return member.role === 'OWNER' && !staysOwner && owners.length === 1 ? 'last owner' : undefined
}

/** Adds a person to a project. Returns false if the person has a role there already. */
export async function addMember(
  trx: Db,
  member: Pick<Selectable<Tables['gateway.members']>, 'project_id' | 'person_id' | 'role' | 'wallet'>,
): Promise<boolean> {
  const result = await trx
    .insertInto('gateway.members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['project_id', 'person_id']).doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Ends all sessions of a person. */
export async function endSessions(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('gateway.people_sessions').where('person_id', '=', personId).execute()
}

/**
 * Deletes sessions, challenges and counts of requests that have expired, and invitations that nobody can
 * accept any more.
 */
export async function deleteExpired(db: Kysely<Tables>): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await db.deleteFrom('gateway.people_sessions').where('expires_at', '<', now).execute()
  await db.deleteFrom('gateway.people_challenges').where('expires_at', '<', now).execute()
  await db.deleteFrom('gateway.invitations').where('expires_at', '<', now).execute()
  await db.deleteFrom('gateway.operator_invitations').where('expires_at', '<', now).execute()
  const oldestCount = sql<number>`extract(epoch from clock_timestamp() - interval '1 hour') * 1000`
  await db.deleteFrom('gateway.people_rate_limits').where('last_request', '<', oldestCount).execute()
}
