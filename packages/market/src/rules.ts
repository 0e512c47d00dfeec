import { rule } from '@mintmark/envelope'

/** The seller owns fewer of the token than that, or has promised them to other listings, auctions or offers. */
export const NOT_ENOUGH_OWNED = rule(40931, 'The seller does not have so many to sell')
/** The listing is sold or was taken off the shelf before. */
export const LISTING_CLOSED = rule(40932, 'The listing is closed already')
/** Another coupon of the project has this code. */
export const COUPON_CODE_TAKEN = rule(40933, 'Another coupon has it')
/** The auction has not begun, has ended, or was cancelled. */
export const AUCTION_CLOSED = rule(40934, 'Not running')
/** The message tells the least that is accepted. */
export const BID_TOO_LOW = rule(40935, 'Bid too low')
/** Nobody has to pay more than the buyout amount. */
export const BID_TOO_HIGH = rule(40936, 'Bid too high')
/** An auction with bids goes on to its end. */
export const AUCTION_HAS_BIDS = rule(40937, 'It has bids')
/** The token data is of another version by now: read it, and write again. */
export const TOKEN_DATA_CHANGED = rule(40956, 'The token data has another version')
/** The offer was answered, taken back, or has expired. */
export const OFFER_CLOSED = rule(40938, 'It does not stand')
/** Others can still accept it: it is for any of a collection, or several wallets own the token. */
export const OFFER_FOR_OTHERS = rule(40939, 'It is for others too')
/** The wallet has not made the offer, or does not own what it is for. */
export const OFFER_NOT_YOURS = rule(40312, 'Not its offer')
/** The gateway cannot read the contract's chain just now: nothing was stored, and calling again later can succeed. */
export const CHAIN_UNREADABLE = rule(50301, 'The chain cannot be read just now')
