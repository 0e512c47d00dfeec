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
