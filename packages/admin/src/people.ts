import { Empty, Id, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { OpenRole, type Role } from './role.ts'
import { ALREADY_MEMBER, LAST_OWNER, TOO_MANY_PEOPLE } from './rules.ts'

const person = record({
  /** The person's id. */
  personId: v.string(),
  /** The person's name. */
  name: v.string(),
  /** The person's email address, in lower case. */
  email: v.string(),
  /** The person's role: `OWNER`, `MANAGER`, `STAFF` or `AUDITOR`. */
  role: OpenRole,
  /** The wallet of what the person does in the project; `''` if it has none. */
  wallet: v.string(),
  /** Whether the person signs in with a second factor. */
  hasSecondFactor: v.boolean(),
  /** When the person joined the project. */
  createTime: Timestamp,
  /** When the person was last seen; absent if there is no session. */
  lastSeenTime: v.optional(Timestamp),
})
/** A person with a role in the project. */
export interface Person extends v.InferOutput<typeof person> {}
export const Person: Schema<Person> = person

const invitation = record({
  /** The invitation's id. */
  id: Id,
  /** The email address of the invited person, in lower case. */
  email: v.string(),
  /** The role that the person will have: `OWNER`, `MANAGER`, `STAFF` or `AUDITOR`. */
  role: OpenRole,
  /** The wallet of what the person will do in the project; `''` if it has none. */
  wallet: v.string(),
  /** When the invitation was created. */
  createTime: Timestamp,
  /** When the invitation expires. */
  expireTime: Timestamp,
  /**
   * The link that accepts the invitation. Only the response that creates the invitation has it, because it is
   * a secret.
   */
  url: v.optional(v.string()),
  /**
   * Whether the link was mailed to the person. Only the response that creates the invitation has it, and only
   * if the server sends mails.
   */
  isMailed: v.optional(v.boolean()),
})
/** An invitation that was neither accepted nor revoked, and has not expired. */
export interface Invitation extends v.InferOutput<typeof invitation> {}
export const Invitation: Schema<Invitation> = invitation

const params = {
  /** The person's id. */
  personId: Text,
}

/**
 * Lists the people of the project, by name.
 *
 * @example
 * for (const { name, role } of await people.list(gateway)) console.log(name, role)
 */
export const list = gatewayOperation({
  id: 'people.list',
  method: 'GET',
  path: '/admin/v1/people',
  source: 'own',
  scope: 'people:read',
  data: v.array(Person),
})

/**
 * Invites a person to the project for seven days and returns the link that accepts the invitation. The link is
 * mailed if the server sends mails. Give it to that person only: it sets a password. An earlier invitation of
 * the same address is replaced. `ALREADY_MEMBER` if the person has a role in the project. `TOO_MANY_PEOPLE` at the project's limit of 1,000
 * people and open invitations.
 *
 * @example
 * const { url } = await people.invite(gateway, { email: 'kim@example.com', role: Role.STAFF })
 */
export const invite = gatewayOperation({
  id: 'people.invite',
  method: 'POST',
  path: '/admin/v1/invitations',
  source: 'own',
  scope: 'people:write',
  body: {
    /** The person's email address. */
    email: Text,
    /** The person's role. See `Role`. */
    role: Text as Schema<Role | (string & {})>,
    /** The wallet of what the person will do in the project. Default: none. */
    wallet: v.optional(v.string()),
  },
  data: Invitation,
  errors: [ALREADY_MEMBER, TOO_MANY_PEOPLE],
})
export type InvitePersonInput = InputOf<typeof invite>

/**
 * Lists the open invitations of the project, newest first, without their links.
 *
 * @example
 * for (const { email, expireTime } of await people.listInvitations(gateway)) console.log(email, expireTime)
 */
export const listInvitations = gatewayOperation({
  id: 'people.listInvitations',
  method: 'GET',
  path: '/admin/v1/invitations',
  source: 'own',
  scope: 'people:read',
  data: v.array(Invitation),
})

/**
 * Revokes an invitation, so that its link does nothing. NotFoundError if it was accepted or revoked, or has
 * expired.
 *
 * @example
 * await people.revokeInvitation(gateway, { id: 7 })
 */
export const revokeInvitation = gatewayOperation({
  id: 'people.revokeInvitation',
  method: 'DELETE',
  path: '/admin/v1/invitations/{id}',
  source: 'own',
  scope: 'people:write',
  params: {
    /** The invitation's id. */
    id: Id,
  },
  data: Empty,
  errors: [NotFoundError],
})
export type RevokeInvitationInput = InputOf<typeof revokeInvitation>

/**
 * Changes the role or the wallet of a person. The person's next call has the new role. If an owner gets
 * another role, nobody can accept the invitations that this owner has created. NotFoundError if the person has
 * no role in the project. `LAST_OWNER` if the project would have no owner.
 *
 * @example
 * await people.update(gateway, { personId, role: Role.MANAGER })
 */
export const update = gatewayOperation({
  id: 'people.update',
  method: 'PATCH',
  path: '/admin/v1/people/{personId}',
  source: 'own',
  scope: 'people:write',
  params,
  body: {
    /** The new role. See `Role`. Default: unchanged. */
    role: v.optional(Text as Schema<Role | (string & {})>),
    /** The new wallet; `''` for none. Default: unchanged. */
    wallet: v.optional(v.string()),
  },
  data: Person,
  errors: [NotFoundError, LAST_OWNER],
})
export type UpdatePersonInput = InputOf<typeof update>

/**
 * Removes a person from the project. The person's next call fails. Nobody can accept the invitations that the
 * person has created, because the person has their links. NotFoundError if the person has no role in the
 * project. `LAST_OWNER` if the project would have no owner.
 *
 * @example
 * await people.remove(gateway, { personId })
 */
export const remove = gatewayOperation({
  id: 'people.remove',
  method: 'DELETE',
  path: '/admin/v1/people/{personId}',
  source: 'own',
  scope: 'people:write',
  params,
  data: Empty,
  errors: [NotFoundError, LAST_OWNER],
})
export type RemovePersonInput = InputOf<typeof remove>

/**
 * Ends all sessions of a person, on every device. A session is for all projects of its person, who is
 * therefore signed out of other projects too, and can sign in again. To keep a person out of this project,
 * remove the person. NotFoundError if the person has no role in the project.
 *
 * @example
 * await people.signOut(gateway, { personId })
 */
export const signOut = gatewayOperation({
  id: 'people.signOut',
  method: 'POST',
  path: '/admin/v1/people/{personId}/signOut',
  source: 'own',
  scope: 'people:write',
  idempotent: true,
  params,
  data: Empty,
  errors: [NotFoundError],
})
export type SignOutPersonInput = InputOf<typeof signOut>
