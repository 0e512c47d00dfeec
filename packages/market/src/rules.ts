import { Amount, serverOnly } from '@mintmark/envelope'
import { openingTimes } from '@mintmark/minting'

export { CHAIN_UNREADABLE } from '@mintmark/envelope'

/**
 * The seller has too few available units: other listings, auctions or offers may reserve some.
 *
 * List fewer units, or close listings that reserve the token.
 */
export const NOT_ENOUGH_OWNED = {
  code: 40931,
  reason: 'NOT_ENOUGH_OWNED',
  message: serverOnly('The seller owns fewer tokens, or has reserved them elsewhere'),
} as const
/**
 * The listing was sold, or has expired.
 *
 * No action is required. Create a new listing to sell the token.
 */
export const LISTING_CLOSED = {
  code: 40932,
  reason: 'LISTING_CLOSED',
  message: serverOnly('The listing is sold, or was taken off the shelf'),
} as const
/**
 * Another coupon of the project has this code.
 *
 * Choose another code, or omit `code` for a generated one.
 */
export const COUPON_CODE_TAKEN = {
  code: 40933,
  reason: 'COUPON_CODE_TAKEN',
  message: serverOnly('Another coupon of the project has this code'),
} as const
/**
 * The auction has not started, has ended, or was cancelled.
 *
 * Read the auction's times and status.
 */
export const AUCTION_CLOSED = {
  code: 40934,
  reason: 'AUCTION_CLOSED',
  message: serverOnly('The auction has not started, has ended, or was cancelled'),
  detail: openingTimes,
} as const
/**
 * The bid is too low. The message states the lowest accepted bid.
 *
 * Bid at least that amount.
 */
export const BID_TOO_LOW = {
  code: 40935,
  reason: 'BID_TOO_LOW',
  message: serverOnly('The bid is too low'),
  detail: serverOnly({
    /** The lowest bid that is accepted. */
    minimum: Amount,
  }),
} as const
/**
 * The bid exceeds the buyout price.
 *
 * Bid the buyout price, which ends the auction.
 */
export const BID_TOO_HIGH = {
  code: 40936,
  reason: 'BID_TOO_HIGH',
  message: serverOnly('Bid exceeds the buyout price'),
} as const
/**
 * The auction has bids, so it cannot be cancelled.
 *
 * Wait until the auction ends.
 */
export const AUCTION_HAS_BIDS = {
  code: 40937,
  reason: 'AUCTION_HAS_BIDS',
  message: serverOnly('The auction has bids and cannot be cancelled'),
} as const
/**
 * The token data has another version.
 *
 * Read the token data, and retry with its current version.
 */
export const TOKEN_DATA_CHANGED = {
  code: 40956,
  reason: 'TOKEN_DATA_CHANGED',
  message: serverOnly('The token data has a newer version. Read it and write again'),
} as const
/**
 * The offer was accepted, rejected or cancelled, or has expired.
 *
 * Read the offer's status. `offers.create` makes a new offer.
 */
export const OFFER_CLOSED = {
  code: 40938,
  reason: 'OFFER_CLOSED',
  message: serverOnly('The offer was accepted, rejected or cancelled, or has expired'),
} as const
/**
 * Other wallets can still accept the offer: it is for any token of a collection, or several wallets own the
 * token.
 *
 * Wait until another wallet accepts the offer, or until it expires.
 */
export const OFFER_FOR_OTHERS = {
  code: 40939,
  reason: 'OFFER_FOR_OTHERS',
  message: serverOnly('The offer is for other owners too, who can still accept it'),
} as const
/**
 * The wallet did not make the offer, or does not own the token.
 *
 * Send the address of the wallet that made the offer, or that owns the token.
 */
export const OFFER_NOT_YOURS = {
  code: 40312,
  reason: 'OFFER_NOT_YOURS',
  message: serverOnly('The wallet did not make the offer, or does not own its token'),
} as const
