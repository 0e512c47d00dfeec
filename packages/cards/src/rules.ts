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
  message: serverOnly('You have reversed as many verifications today as the project allows. Ask a manager'),
} as const
/**
 * Another store of the project has this name or code.
 *
 * Choose another name, or use the existing store.
 */
export const STORE_NAME_TAKEN = {
  code: 40927,
  reason: 'STORE_NAME_TAKEN',
  message: serverOnly('Another store of the project has this name or code'),
} as const
/**
 * The project has as many stores as it may have.
 *
 * Rename stores that are closed for good.
 */
export const TOO_MANY_STORES = {
  code: 40928,
  reason: 'TOO_MANY_STORES',
  message: serverOnly('The project has too many stores'),
} as const
/**
 * The campaign has ended for good.
 *
 * Create another campaign.
 */
export const CAMPAIGN_ENDED = {
  code: 40929,
  reason: 'CAMPAIGN_ENDED',
  message: serverOnly('The campaign has ended'),
} as const
/**
 * The campaign would have more cards than it may have.
 *
 * Read the campaign: the cards may already be requested. Otherwise raise its `cards`.
 */
export const CAMPAIGN_FULL = {
  code: 40930,
  reason: 'CAMPAIGN_FULL',
  message: serverOnly('The campaign has fewer cards left to issue'),
} as const
/**
 * The project has as many campaigns that have not ended as it may have.
 *
 * End campaigns that are over.
 */
export const TOO_MANY_CAMPAIGNS = {
  code: 40941,
  reason: 'TOO_MANY_CAMPAIGNS',
  message: serverOnly('The project has too many campaigns that have not ended'),
} as const
/**
 * The pictures of the project take as many bytes as the gateway stores for it.
 *
 * Remove pictures from records that need none: a day later they are deleted. Or ask whoever operates the
 * gateway for more.
 */
export const MEDIA_FULL = {
  code: 40942,
  reason: 'MEDIA_FULL',
  message: serverOnly('The project stores too many pictures'),
} as const
