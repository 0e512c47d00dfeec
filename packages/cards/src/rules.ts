/**
 * A card cannot be made fewer than were used already.
 *
 * Read the card, and set `totalIssued` to `usedCount` or more.
 */
export const TOTAL_BELOW_USED = { code: 40921, reason: 'TOTAL_BELOW_USED' } as const
/**
 * The scanner's nonce stands for another verification.
 *
 * Draw a new nonce for each verification.
 */
export const NONCE_REUSED = { code: 40922, reason: 'NONCE_REUSED' } as const
