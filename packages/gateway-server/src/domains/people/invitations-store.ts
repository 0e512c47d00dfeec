import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Role } from '@mintmark/admin'
import { transaction } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import { RESPONSE_ITEMS } from '../../http/field-limits.ts'
import { lockProject } from '../../keys/keys-store.ts'
import type { Db, Tables } from '../../tables.ts'
import { addMember, countMembers, hasOwner, isMember } from './members-store.ts'

export type InvitationRow = Selectable<Tables['gateway.invitations']>

const VALID_DAYS = 7
const TOKEN_BYTES = 32

/** The database stores no token, so that whoever reads it cannot accept invitations. */
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

export interface NewInvitation {
  readonly project: number
  readonly email: string
  readonly role: Role
  readonly wallet?: string | undefined
  /** Invites only to a project without an owner. */
  readonly isFirstOwner?: boolean
}

/** An invitation with the token of its link. */
export interface CreatedInvitation {
  readonly row: InvitationRow
  readonly token: string
}

/**
 * Invites a person, in place of an earlier invitation of the same address. Returns `member` if the person has
 * a role in the project already, `full` if the project has as many people and invitations as it may have, and
 * `owned` if an invitation of the first owner finds another one.
 */
export async function createInvitation(
  db: Db,
  { project, email, role, wallet = '', isFirstOwner = false }: NewInvitation,
): Promise<CreatedInvitation | 'member' | 'full' | 'owned'> {
  const address = email.trim().toLowerCase()
  return await transaction(db, async (trx) => {
    await lockProject(trx, project)
    if (isFirstOwner && (await hasOwner(trx, project))) return 'owned'
    if (await isMember(trx, project, address)) return 'member'
    await trx
      .deleteFrom('gateway.invitations')
      .where('project_id', '=', project)
      .where('email', '=', address)
      .execute()
    if ((await countMembers(trx, project)) + (await countInvitations(trx, project)) >= RESPONSE_ITEMS.people)
      return 'full'
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const row = await trx
      .insertInto('gateway.invitations')
      .values({
        ...{ project_id: project, email: address, role, wallet, token_hash: hashToken(token) },
        expires_at: sql<Date>`clock_timestamp() + make_interval(days => ${VALID_DAYS})`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, token }
  })
}

async function countInvitations(trx: Db, project: number): Promise<number> {
  const { open } = await trx
    .selectFrom('gateway.invitations')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('project_id', '=', project)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  return open
}

/** Lists the invitations of a project that nobody has accepted yet, newest first. */
export async function listInvitations(db: Db, project: number): Promise<InvitationRow[]> {
  return await db
    .selectFrom('gateway.invitations')
    .selectAll()
    .where('project_id', '=', project)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy('id', 'desc')
    .execute()
}

/** Revokes an invitation. Returns false if it was accepted or revoked, or has expired. */
export async function removeInvitation(db: Db, project: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('gateway.invitations')
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** What the page of an invitation shows. */
export interface OpenInvitation {
  readonly email: string
  readonly projectName: string
  readonly role: Role
  /** Whether nobody with this email address uses the console yet. */
  readonly isNewPerson: boolean
}

/** Finds the invitation of a link. */
export async function findInvitation(db: Db, token: string): Promise<OpenInvitation | undefined> {
  const row = await db
    .selectFrom('gateway.invitations as invitation')
    .innerJoin('gateway.projects as project', 'project.id', 'invitation.project_id')
    .leftJoin('gateway.people as person', 'person.email', 'invitation.email')
    .select(['invitation.email', 'invitation.role', 'project.name as projectName', 'person.id as personId'])
    .where('invitation.token_hash', '=', hashToken(token))
    .where('invitation.expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { email, role, projectName, personId } = row
  return { email, role, projectName, isNewPerson: personId === null }
}

/** Who accepts an invitation: a person who exists and is signed in, or a new one. */
export interface Acceptor {
  readonly personId: string
  /** What a new person has. Undefined for a person who exists. */
  readonly account?: { readonly name: string; readonly passwordHash: string }
}

export type Acceptance = 'accepted' | 'not found' | 'other person' | 'sign in first'

/** Accepts an invitation, once. */
export async function acceptInvitation(
  db: Db,
  token: string,
  { personId, account }: Acceptor,
): Promise<Acceptance> {
  return await transaction(db, async (trx): Promise<Acceptance> => {
    // The lock lets only one of several acceptances succeed.
    const invitation = await trx
      .selectFrom('gateway.invitations')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', sql<Date>`clock_timestamp()`)
      .forUpdate()
      .executeTakeFirst()
    if (invitation === undefined) return 'not found'
    const { project_id, id, email, role, wallet } = invitation
    const person = await trx
      .selectFrom('gateway.people')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (account === undefined && person?.id !== personId) return 'other person'
    if (account !== undefined && person !== undefined) return 'sign in first'
    if (account !== undefined && !(await addPerson(trx, { personId, email, ...account })))
      return 'sign in first'
    await trx
      .deleteFrom('gateway.invitations')
      .where('project_id', '=', project_id)
      .where('id', '=', id)
      .execute()
    await addMember(trx, { project_id, person_id: personId, role, wallet })
    return 'accepted'
  })
}

/**
 * Adds a person who signs in with a password. The rows have the form that the authentication library reads.
 * The email address counts as not verified: the link of an invitation reaches the person through somebody
 * else. Returns false if a concurrent acceptance has added a person with the address.
 */
export async function addPerson(
  trx: Db,
  person: {
    readonly personId: string
    readonly email: string
    readonly name: string
    readonly passwordHash: string
  },
): Promise<boolean> {
  const { personId, email, name, passwordHash } = person
  const added = await sql`
    insert into gateway.people (id, name, email, email_verified)
    values (${personId}, ${name}, ${email}, false)
    on conflict (email) do nothing`.execute(trx)
  if (added.numAffectedRows !== 1n) return false
  await sql`
    insert into gateway.people_accounts (id, person_id, account_id, provider_id, password)
    values (${randomUUID()}, ${personId}, ${personId}, 'credential', ${passwordHash})`.execute(trx)
  return true
}
