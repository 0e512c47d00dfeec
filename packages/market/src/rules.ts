export { CHAIN_UNREADABLE } from '@mintmark/envelope'

/**
 * The seller owns fewer of the token than that, or has promised them to other listings, auctions or offers.
 *
 * Offer fewer, or take what is promised elsewhere off the shelf first.
 */
export const NOT_ENOUGH_OWNED = 40931
/**
 * The listing is sold or was taken off the shelf before.
 *
 * Nothing is left to do; put the token on the shelf anew if it is to be sold.
 */
export const LISTING_CLOSED = 40932
/**
 * Another coupon of the project has this code.
 *
 * Choose another code, or none: one is drawn then.
 */
export const COUPON_CODE_TAKEN = 40933
/**
 * The auction has not begun, has ended, or was cancelled.
 *
 * Read the auction for its times and its status.
 */
export const AUCTION_CLOSED = 40934
/**
 * The bid is lower than what is accepted; the message tells the least.
 *
 * Bid at least that much.
 */
export const BID_TOO_LOW = 40935
/**
 * The bid is above the buyout amount, more than which nobody has to pay.
 *
 * Bid the buyout amount, which ends the auction.
 */
export const BID_TOO_HIGH = 40936
/**
 * An auction with bids goes on to its end.
 *
 * Wait for its end.
 */
export const AUCTION_HAS_BIDS = 40937
/**
 * The token data is of another version by now.
 *
 * Read it, and write again with the version that was read.
 */
export const TOKEN_DATA_CHANGED = 40956
/**
 * The offer was answered, taken back, or has expired.
 *
 * Read the offer for its status; a new offer is made by `offers.create`.
 */
export const OFFER_CLOSED = 40938
/**
 * Others can still accept it: it is for any of a collection, or several wallets own the token.
 *
 * Leave it to them, or to its end.
 */
export const OFFER_FOR_OTHERS = 40939
/**
 * The wallet has not made the offer, or does not own what it is for.
 *
 * Name the wallet that made the offer, or the one that owns what it is for.
 */
export const OFFER_NOT_YOURS = 40312
