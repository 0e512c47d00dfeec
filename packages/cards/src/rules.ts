/** A card cannot be made fewer than were used already. */
export const TOTAL_BELOW_USED = 40921
/** The scanner's nonce stands for another verification. */
export const NONCE_REUSED = 40922
