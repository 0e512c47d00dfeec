import { Empty, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { LAST_OPERATOR } from './rules.ts'
import { ProjectMembership } from './session.ts'

const operator = record({
  /** The person's id. */
  personId: v.string(),
  /** The person's name. */
  name: v.string(),
  /** The person's email address, in lower case. */
  email: v.string(),
  /** Whether the person signs in with a second factor. */
  hasSecondFactor: v.boolean(),
  /** When the person was last seen; absent if there is no session. */
  lastSeenTime: v.optional(Timestamp),
})
/** A person who is an operator of the server. */
export interface Operator extends v.InferOutput<typeof operator> {}
export const Operator: Schema<Operator> = operator

/**
 * Lists the operators of the server, by name.
 *
 * @example
 * for (const { name, hasSecondFactor } of await operators.list(gateway)) console.log(name, hasSecondFactor)
 */
export const list = gatewayOperation({
  id: 'operators.list',
  method: 'GET',
  path: '/admin/v1/operator/operators',
  source: 'own',
  scope: 'operator:read',
  data: v.array(Operator),
})

const operatorInvitation = record({
  /** The email address of the invited person, in lower case. */
  email: v.string(),
  /** When the invitation expires. */
  expireTime: Timestamp,
  /** The link that accepts the invitation. It is a secret, and no other response has it. */
  url: v.string(),
  /** Whether the link was mailed to the person; absent if the server sends no mails. */
  isMailed: v.optional(v.boolean()),
})
/** A new invitation to operate the server. */
export interface OperatorInvitation extends v.InferOutput<typeof operatorInvitation> {}
export const OperatorInvitation: Schema<OperatorInvitation> = operatorInvitation

/**
 * Invites a person to be an operator of the server, who sees all projects, and returns the link that accepts
 * the invitation. It is valid for seven days and works once. Send it to that person only: an email address
 * alone makes nobody an operator, because whoever invited its account could have accepted the invitation. An
 * earlier invitation of the same address is replaced. `operators.revoke` ends all open ones.
 *
 * @example
 * const { url } = await operators.invite(gateway, { email: 'kim@example.com' })
 */
export const invite = gatewayOperation({
  id: 'operators.invite',
  method: 'POST',
  path: '/admin/v1/operator/invitations',
  source: 'own',
  scope: 'operator:write',
  body: {
    /** The person's email address. */
    email: Text,
  },
  data: OperatorInvitation,
})
export type InviteOperatorInput = InputOf<typeof invite>

/**
 * Ends a person's operator role, and all open invitations of operators. The person's roles in projects stay.
 * NotFoundError if the person is no operator. `LAST_OPERATOR` if the server would have no operator: the command
 * `mintmark-gateway people operator --remove` can remove the last one.
 *
 * @example
 * await operators.revoke(gateway, { personId })
 */
export const revoke = gatewayOperation({
  id: 'operators.revoke',
  method: 'DELETE',
  path: '/admin/v1/operator/operators/{personId}',
  source: 'own',
  scope: 'operator:write',
  params: {
    /** The person's id. */
    personId: Text,
  },
  data: Empty,
  errors: [NotFoundError, LAST_OPERATOR],
})
export type RevokeOperatorInput = InputOf<typeof revoke>

const removedPerson = record({
  /** The person's id. */
  personId: v.string(),
  /** The person's name. */
  name: v.string(),
  /** The person's email address, in lower case. */
  email: v.string(),
  /** The projects in which the person had a role, by name: the first 1,000. */
  projects: v.array(ProjectMembership),
})
/** A person whose account was removed. */
export interface RemovedPerson extends v.InferOutput<typeof removedPerson> {}
export const RemovedPerson: Schema<RemovedPerson> = removedPerson

/**
 * Removes the account of an email address: the person with the sessions, the password, the passkeys and the
 * roles in all projects. Afterwards an invitation creates a new account with the address. Use it when somebody
 * else has accepted an invitation of the address, so that its holder cannot. NotFoundError if nobody has the
 * address. `LAST_OPERATOR` if the server would have no operator. A project that loses its last owner gets
 * another one by `operatorProjects.inviteOwner`.
 *
 * @example
 * const { projects } = await operators.removePerson(gateway, { email: 'kim@example.com' })
 */
export const removePerson = gatewayOperation({
  id: 'operators.removePerson',
  method: 'DELETE',
  path: '/admin/v1/operator/people/{email}',
  source: 'own',
  scope: 'operator:write',
  params: {
    /** The email address of the account. */
    email: Text,
  },
  data: RemovedPerson,
  errors: [NotFoundError, LAST_OPERATOR],
})
export type RemoveOperatorPersonInput = InputOf<typeof removePerson>
