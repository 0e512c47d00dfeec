import { serverOnly } from '@mintmark/envelope'

/**
 * `totalIssued` would be below the number of uses.
 *
 * Read the card, and set `totalIssued` to at least `usedCount`.
 */
export const TOTAL_BELOW_USED = {
  code: 40921,
  reason: 'TOTAL_BELOW_USED',
  message: serverOnly('The card has more uses than the new total allows'),
} as const
/**
 * The nonce belongs to a different verification.
 *
 * Generate a new nonce for each verification.
 */
export const NONCE_REUSED = {
  code: 40922,
  reason: 'NONCE_REUSED',
  message: serverOnly('This device has used the nonce for another verification'),
} as const
/**
 * The verification is already reversed.
 *
 * Read the record in `reversedBy`. Nothing else is to do.
 */
export const ALREADY_REVERSED = {
  code: 40923,
  reason: 'ALREADY_REVERSED',
  message: serverOnly('The verification is already reversed'),
} as const
/**
 * The verification did not use a card: it was refused, or is a reversal itself.
 *
 * Reverse the verification whose result is `OK`.
 */
export const NOT_REVERSIBLE = {
  code: 40924,
  reason: 'NOT_REVERSIBLE',
  message: serverOnly('Only an accepted verification can be reversed'),
} as const
/**
 * The verification is another caller's, or too old for the project's `reversalMinutes`.
 *
 * Let a manager reverse it, or a key with the scope `cards:write`.
 */
export const REVERSAL_NOT_ALLOWED = {
  code: 40925,
  reason: 'REVERSAL_NOT_ALLOWED',
  message: serverOnly('Only your own verifications can be reversed, within the time that the project sets'),
} as const
/**
 * The caller has reversed as many verifications today as the project's `reversalsPerDay` allows.
 *
 * Let a manager reverse it, or a key with the scope `cards:write`.
 */
export const TOO_MANY_REVERSALS = {
  code: 40926,
  reason: 'TOO_MANY_REVERSALS',
  message: serverOnly('Too many verifications are reversed today'),
} as const
