import {
  ConflictError,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const operatorKey = record({
  /** The key's id. */
  id: Integer,
  /** The account's id. */
  accountId: Integer,
  /** The key's name; `''` if not set. */
  name: v.string(),
  /** The first characters of the token, to tell keys apart. */
  prefix: v.string(),
  /** The token. Only the response to the creation or the rotation contains it. */
  token: v.optional(v.string()),
  /** When the key was created. */
  createTime: Timestamp,
  /** When the key stops working, or stopped; absent if it is active. */
  revokeTime: v.optional(Timestamp),
})
/** A key of an account. */
export interface OperatorKey extends v.InferOutput<typeof operatorKey> {}
export const OperatorKey: Schema<OperatorKey> = operatorKey

const params = {
  /** The key's id. */
  id: Id,
}

/**
 * Creates a key of an account. Only this response contains the token. NotFoundError if the account does not
 * exist. ConflictError if the Idempotency-Key was used: revoke the key that the first call created. Requires
 * the header X-Mintmark-Actor.
 *
 * @example
 * const { token } = await operatorKeys.create(operator, { accountId: 12, name: 'till' })
 */
export const create = facilitatorOperation({
  id: 'operatorKeys.create',
  method: 'POST',
  path: '/operator/v1/keys',
  source: 'own',
  scope: 'operator:write',
  body: {
    /** The account's id. */
    accountId: Id,
    /** The key's name. */
    name: v.optional(v.string()),
    /** Why, for those who read the decisions. */
    reason: v.optional(Text),
  },
  data: OperatorKey,
  errors: [NotFoundError, ConflictError],
})
export type CreateOperatorKeyInput = InputOf<typeof create>

/**
 * Replaces a key by a new one of the same account and name. Only this response contains the new token. The
 * old token works for `graceSeconds` more. NotFoundError if the key does not exist or is revoked.
 * ConflictError if the Idempotency-Key was used: revoke the key that the first call created. Requires the
 * header X-Mintmark-Actor.
 *
 * @example
 * const { token } = await operatorKeys.rotate(operator, { id: 3, graceSeconds: 3600 })
 */
export const rotate = facilitatorOperation({
  id: 'operatorKeys.rotate',
  method: 'POST',
  path: '/operator/v1/keys/{id}/rotate',
  source: 'own',
  scope: 'operator:write',
  params,
  body: {
    /** How long the old token still works, in seconds, at most 30 days. Default: 24 hours. */
    graceSeconds: v.optional(Integer),
    /** Why, for those who read the decisions. */
    reason: v.optional(Text),
  },
  data: OperatorKey,
  errors: [NotFoundError, ConflictError],
})
export type RotateOperatorKeyInput = InputOf<typeof rotate>

/**
 * Revokes a key now. A server may accept its token for some seconds more. NotFoundError if the key does not
 * exist or is revoked. Requires the header X-Mintmark-Actor.
 *
 * @example
 * await operatorKeys.revoke(operator, { id: 3, reason: 'The key was published' })
 */
export const revoke = facilitatorOperation({
  id: 'operatorKeys.revoke',
  method: 'POST',
  path: '/operator/v1/keys/{id}/revoke',
  source: 'own',
  scope: 'operator:write',
  params,
  body: {
    /** Why, for those who read the decisions. */
    reason: Text,
  },
  data: OperatorKey,
  errors: [NotFoundError, ConflictError],
})
export type RevokeOperatorKeyInput = InputOf<typeof revoke>
