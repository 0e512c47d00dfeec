import { Id, Integer, NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import {
  ALREADY_REVERSED,
  NONCE_REUSED,
  NOT_REVERSIBLE,
  REVERSAL_NOT_ALLOWED,
  TOO_MANY_REVERSALS,
} from './rules.ts'
import { VerificationRecord } from './verification.ts'

/**
 * Reverses an accepted verification of any program: gives the use of a promo code card back, ends the check-in
 * of an event card, or forgets the visit of a membership card. Returns the record of the reversal. Callers
 * with the scope `cards:write` reverse any verification at any time, others only their own within the time
 * that `cardSettings` sets. Idempotent by `nonce`. NotFoundError if there is no such verification.
 *
 * @example
 * const nonce = crypto.randomUUID()
 * const { reverses } = await verifications.reverse(gateway, { id: 7, nonce, reason: 'Wrong customer' })
 */
export const reverse = gatewayOperation({
  id: 'verifications.reverse',
  method: 'POST',
  path: '/api/v1/card/verification/reverse',
  source: 'added',
  idempotent: true,
  scope: 'cards:verify',
  body: {
    /** The id of the verification. */
    id: Id,
    /**
     * An id that the scanner generates for this reversal, unique for each program and device. Repeating a
     * call with the same nonce returns the same record and has no further effect.
     */
    nonce: Text,
    /** Why the verification is reversed. */
    reason: Text,
    /** The scanner. */
    device: v.optional(v.string()),
    /** The person or system that reverses. */
    verifier: v.optional(v.string()),
  },
  data: VerificationRecord,
  errors: [
    NotFoundError,
    ALREADY_REVERSED,
    NONCE_REUSED,
    NOT_REVERSIBLE,
    REVERSAL_NOT_ALLOWED,
    TOO_MANY_REVERSALS,
  ],
})
export type ReverseVerificationInput = InputOf<typeof reverse>

const reversalCount = record({
  /** Who reversed: `key:…` or `person:…`. */
  actor: v.string(),
  /** The number of reversals on this day. */
  count: Integer,
  /** The day in the time zone of the stores, such as `2026-11-29`. */
  day: v.string(),
})
/** How many verifications a person or a key reversed on a day. */
export interface ReversalCount extends v.InferOutput<typeof reversalCount> {}
export const ReversalCount: Schema<ReversalCount> = reversalCount

/**
 * Counts the reversals by person or key and day, newest day first, most reversals first. Returns the first
 * 1,000 counts of the last 31 days.
 *
 * @example
 * for (const { actor, day, count } of await verifications.reversals(gateway)) console.log(day, actor, count)
 */
export const reversals = gatewayOperation({
  id: 'verifications.reversals',
  method: 'GET',
  path: '/api/v1/card/verification/reversals',
  source: 'added',
  scope: 'cards:read',
  data: v.array(ReversalCount),
})
