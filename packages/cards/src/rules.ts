import { rule } from '@mintmark/envelope'

/** A card cannot be made fewer than were used already. */
export const TOTAL_BELOW_USED = rule(40921, 'More cards are used than would be left')
/** The scanner's nonce stands for another verification. */
export const NONCE_REUSED = rule(40922, 'The nonce was used for another verification')
