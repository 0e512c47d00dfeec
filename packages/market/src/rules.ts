export { CHAIN_UNREADABLE } from '@mintmark/envelope'

/** The seller owns fewer of the token than that, or has promised them to other listings, auctions or offers. */
export const NOT_ENOUGH_OWNED = 40931
/** The listing is sold or was taken off the shelf before. */
export const LISTING_CLOSED = 40932
/** Another coupon of the project has this code. */
export const COUPON_CODE_TAKEN = 40933
/** The auction has not begun, has ended, or was cancelled. */
export const AUCTION_CLOSED = 40934
/** The message tells the least that is accepted. */
export const BID_TOO_LOW = 40935
/** Nobody has to pay more than the buyout amount. */
export const BID_TOO_HIGH = 40936
/** An auction with bids goes on to its end. */
export const AUCTION_HAS_BIDS = 40937
/** The token data is of another version by now: read it, and write again. */
export const TOKEN_DATA_CHANGED = 40956
/** The offer was answered, taken back, or has expired. */
export const OFFER_CLOSED = 40938
/** Others can still accept it: it is for any of a collection, or several wallets own the token. */
export const OFFER_FOR_OTHERS = 40939
/** The wallet has not made the offer, or does not own what it is for. */
export const OFFER_NOT_YOURS = 40312
