import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Role } from '@mintmark/admin'
import { transaction } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../database/tables.ts'
import { RESPONSE_ITEMS } from '../../http/field-limits.ts'
import { lockProject } from '../../keys/keys-store.ts'
import { findPersonByEmail } from './accounts-store.ts'
import { addMember, countMembers, hasOwner, isMember } from './members-store.ts'
import { addOperator } from './operators-store.ts'

export type InvitationRow = Selectable<Tables['gateway.invitations']>

const VALID_DAYS = 7
const TOKEN_BYTES = 32

/** The database stores no token, so that whoever reads it cannot accept invitations. */
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
const createToken = () => randomBytes(TOKEN_BYTES).toString('base64url')
const EXPIRY = sql<Date>`clock_timestamp() + make_interval(days => ${VALID_DAYS})`

/**
 * Whether somebody can accept an invitation: it has not expired, and the key or person who created it may still
 * invite people. That key or person has seen the link.
 */
const IS_OPEN = sql<boolean>`(
  invitation.expires_at > clock_timestamp() and (
    invitation.inviter = ''
    or exists (
      select from gateway.api_keys as key
      where key.api_key = replace(invitation.inviter, 'key:', '') and key.revoked_at is null)
    or exists (
      select from gateway.members as member
      where member.person_id = replace(invitation.inviter, 'person:', '')
        and member.project_id = invitation.project_id and member.role = 'OWNER')))`

export interface NewInvitation {
  readonly project: number
  readonly email: string
  readonly role: Role
  readonly wallet?: string | undefined
  /** The key or person of the project that invites, such as `key:mk_…`. Default: an operator. */
  readonly inviter?: string
  /** Invites only to a project without an owner. */
  readonly isFirstOwner?: boolean
}

/** An invitation with the token of its link. */
export interface CreatedInvitation {
  readonly row: InvitationRow
  readonly token: string
  readonly projectName: string
}

/**
 * Invites a person, in place of an earlier invitation of the same address. Returns `member` if the person has
 * a role in the project already, `full` if the project has as many people and invitations as it may have, and
 * `owned` if an invitation of the first owner finds another one.
 */
export async function createInvitation(
  db: Db,
  { project, email, role, wallet = '', inviter = '', isFirstOwner = false }: NewInvitation,
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
    const token = createToken()
    const row = await trx
      .insertInto('gateway.invitations')
      .values({
        project_id: project,
        email: address,
        role,
        wallet,
        token_hash: hashToken(token),
        inviter,
        expires_at: EXPIRY,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const { name } = await trx
      .selectFrom('gateway.projects')
      .select('name')
      .where('id', '=', project)
      .executeTakeFirstOrThrow()
    return { row, token, projectName: name }
  })
}

/** An invitation of an operator, with the token of its link. */
export interface CreatedOperatorInvitation {
  readonly email: string
  readonly expiresAt: Date
  readonly token: string
}

/** Invites a person to be an operator, in place of an earlier invitation of the same address. */
export async function createOperatorInvitation(db: Db, email: string): Promise<CreatedOperatorInvitation> {
  const token = createToken()
  const row = { email: email.trim().toLowerCase(), token_hash: hashToken(token), expires_at: EXPIRY }
  return await transaction(db, async (trx) => {
    await trx.deleteFrom('gateway.operator_invitations').where('email', '=', row.email).execute()
    const created = await trx
      .insertInto('gateway.operator_invitations')
      .values(row)
      .returning(['email', 'expires_at as expiresAt'])
      .executeTakeFirstOrThrow()
    return { ...created, token }
  })
}

async function countInvitations(trx: Db, project: number): Promise<number> {
  const { open } = await trx
    .selectFrom('gateway.invitations as invitation')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('project_id', '=', project)
    .where(IS_OPEN)
    .executeTakeFirstOrThrow()
  return open
}

/** Lists the invitations of a project that somebody can accept, newest first. */
export async function listInvitations(db: Db, project: number): Promise<InvitationRow[]> {
  return await db
    .selectFrom('gateway.invitations as invitation')
    .selectAll()
    .where('project_id', '=', project)
    .where(IS_OPEN)
    .orderBy('id', 'desc')
    .execute()
}

/** Revokes an invitation. Returns false if nobody can accept it. */
export async function removeInvitation(db: Db, project: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('gateway.invitations as invitation')
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where(IS_OPEN)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** What the page of an invitation shows. */
export interface OpenInvitation {
  readonly email: string
  /** The project and the role in it. Undefined for an operator of the server. */
  readonly projectName?: string
  readonly role?: Role
  /** Whether nobody with this email address uses the console yet. */
  readonly isNewPerson: boolean
}

/** Finds the invitation of a link. */
export async function findInvitation(db: Db, token: string): Promise<OpenInvitation | undefined> {
  const invitation =
    (await db
      .selectFrom('gateway.invitations as invitation')
      .innerJoin('gateway.projects as project', 'project.id', 'invitation.project_id')
      .select(['invitation.email', 'invitation.role', 'project.name as projectName'])
      .where('invitation.token_hash', '=', hashToken(token))
      .where(IS_OPEN)
      .executeTakeFirst()) ??
    (await db
      .selectFrom('gateway.operator_invitations')
      .select('email')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', sql<Date>`clock_timestamp()`)
      .executeTakeFirst())
  if (invitation === undefined) return undefined
  return { ...invitation, isNewPerson: (await findPersonByEmail(db, invitation.email)) === undefined }
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
    const invitation = (await lockInvitation(trx, token)) ?? (await lockOperatorInvitation(trx, token))
    if (invitation === undefined) return 'not found'
    const { email } = invitation
    const person = await findPersonByEmail(trx, email)
    if (account === undefined && person?.personId !== personId) return 'other person'
    if (account !== undefined && person !== undefined) return 'sign in first'
    if (account !== undefined && !(await addPerson(trx, { personId, email, ...account })))
      return 'sign in first'
    await invitation.accept(personId)
    return 'accepted'
  })
}

/** An invitation whose row is locked, so that only one of several acceptances succeeds. */
interface LockedInvitation {
  readonly email: string
  /** Deletes the invitation, and gives the person what it promises. */
  accept(personId: string): Promise<void>
}

async function lockInvitation(trx: Db, token: string): Promise<LockedInvitation | undefined> {
  const row = await trx
    .selectFrom('gateway.invitations as invitation')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where(IS_OPEN)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { project_id, id, email, role, wallet } = row
  return {
    email,
    async accept(personId) {
      await trx
        .deleteFrom('gateway.invitations')
        .where('project_id', '=', project_id)
        .where('id', '=', id)
        .execute()
      await addMember(trx, { project_id, person_id: personId, role, wallet })
    },
  }
}

async function lockOperatorInvitation(trx: Db, token: string): Promise<LockedInvitation | undefined> {
  const row = await trx
    .selectFrom('gateway.operator_invitations')
    .select(['id', 'email'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    email: row.email,
    async accept(personId) {
      await trx.deleteFrom('gateway.operator_invitations').where('id', '=', row.id).execute()
      await addOperator(trx, personId)
    },
  }
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
