/**
 * A card cannot be made fewer than were used already.
 *
 * Read the card, and set `totalIssued` to `usedCount` or more.
 */
export const TOTAL_BELOW_USED = 40921
/**
 * The scanner's nonce stands for another verification.
 *
 * Draw a new nonce for each verification.
 */
export const NONCE_REUSED = 40922
