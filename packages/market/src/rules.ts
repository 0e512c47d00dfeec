export { CHAIN_UNREADABLE } from '@mintmark/envelope'

/**
 * The seller owns fewer of the token than that, or has promised them to other listings, auctions or offers.
 *
 * Offer fewer, or take what is promised elsewhere off the shelf first.
 */
export const NOT_ENOUGH_OWNED = { code: 40931, reason: 'NOT_ENOUGH_OWNED' } as const
/**
 * The listing is sold or was taken off the shelf before.
 *
 * Nothing is left to do; put the token on the shelf anew if it is to be sold.
 */
export const LISTING_CLOSED = { code: 40932, reason: 'LISTING_CLOSED' } as const
/**
 * Another coupon of the project has this code.
 *
 * Choose another code, or none: one is drawn then.
 */
export const COUPON_CODE_TAKEN = { code: 40933, reason: 'COUPON_CODE_TAKEN' } as const
/**
 * The auction has not begun, has ended, or was cancelled.
 *
 * Read the auction for its times and its status.
 */
export const AUCTION_CLOSED = { code: 40934, reason: 'AUCTION_CLOSED' } as const
/**
 * The bid is lower than what is accepted; the message tells the least.
 *
 * Bid at least that much.
 */
export const BID_TOO_LOW = { code: 40935, reason: 'BID_TOO_LOW' } as const
/**
 * The bid is above the buyout amount, more than which nobody has to pay.
 *
 * Bid the buyout amount, which ends the auction.
 */
export const BID_TOO_HIGH = { code: 40936, reason: 'BID_TOO_HIGH' } as const
/**
 * An auction with bids goes on to its end.
 *
 * Wait for its end.
 */
export const AUCTION_HAS_BIDS = { code: 40937, reason: 'AUCTION_HAS_BIDS' } as const
/**
 * The token data is of another version by now.
 *
 * Read it, and write again with the version that was read.
 */
export const TOKEN_DATA_CHANGED = { code: 40956, reason: 'TOKEN_DATA_CHANGED' } as const
/**
 * The offer was answered, taken back, or has expired.
 *
 * Read the offer for its status; a new offer is made by `offers.create`.
 */
export const OFFER_CLOSED = { code: 40938, reason: 'OFFER_CLOSED' } as const
/**
 * Others can still accept it: it is for any of a collection, or several wallets own the token.
 *
 * Leave it to them, or to its end.
 */
export const OFFER_FOR_OTHERS = { code: 40939, reason: 'OFFER_FOR_OTHERS' } as const
/**
 * The wallet has not made the offer, or does not own what it is for.
 *
 * Name the wallet that made the offer, or the one that owns what it is for.
 */
export const OFFER_NOT_YOURS = { code: 40312, reason: 'OFFER_NOT_YOURS' } as const
