import { ConflictError, NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const revertCount = record({
  /** `payer` or `account`. */
  kind: v.picklist(['payer', 'account']),
  /** The payer's wallet in lower case, or the account's id. */
  subject: v.string(),
  /** The reverted transactions within the server's window that still count. */
  reverts: v.number(),
  /** Whether its payments are refused now. */
  refused: v.boolean(),
})
/** The reverted transactions of a payer or an account. */
export interface RevertCount extends v.InferOutput<typeof revertCount> {}
export const RevertCount: Schema<RevertCount> = revertCount

const revertCounts: Schema<RevertCount[]> = v.array(RevertCount)

/**
 * Lists the payers and accounts whose transactions reverted within the server's window, and whether they are
 * refused.
 *
 * @example
 * const refused = (await operatorReverts.list(operator)).filter((count) => count.refused)
 */
export const list = facilitatorOperation({
  id: 'operatorReverts.list',
  method: 'GET',
  path: '/operator/v1/reverts',
  source: 'own',
  scope: 'operator:read',
  data: revertCounts,
})

/**
 * Accepts the payments of a payer or an account again: its reverted transactions so far no longer count.
 * Returns the reverts that still count. NotFoundError if the account does not exist. Requires the header
 * X-Mintmark-Actor.
 *
 * @example
 * await operatorReverts.clear(operator, { kind: 'account', subject: '12', reason: 'The token was paused' })
 */
export const clear = facilitatorOperation({
  id: 'operatorReverts.clear',
  method: 'POST',
  path: '/operator/v1/reverts/clear',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: {
    /** `payer` or `account`. */
    kind: v.picklist(['payer', 'account']),
    /** The payer's wallet, or the account's id. */
    subject: Text,
    /** Why, for those who read the decisions. */
    reason: Text,
  },
  data: revertCounts,
  errors: [NotFoundError, ConflictError],
})
export type ClearRevertsInput = InputOf<typeof clear>
