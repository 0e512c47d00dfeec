import { Empty, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { LAST_OPERATOR, UNKNOWN_PERSON } from './rules.ts'

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

/**
 * Makes a person an operator of the server, who sees all projects. `UNKNOWN_PERSON` if nobody has the email
 * address: the person must have accepted an invitation to a project.
 *
 * @example
 * await operators.grant(gateway, { email: 'kim@example.com' })
 */
export const grant = gatewayOperation({
  id: 'operators.grant',
  method: 'POST',
  path: '/admin/v1/operator/operators',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: {
    /** The person's email address. */
    email: Text,
  },
  data: Operator,
  errors: [UNKNOWN_PERSON],
})
export type GrantOperatorInput = InputOf<typeof grant>

/**
 * Ends that a person is an operator of the server. The roles in projects stay. NotFoundError if the person is
 * no operator. `LAST_OPERATOR` if the server would have no operator: the command
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
