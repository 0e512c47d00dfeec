import { rule } from '@mintmark/envelope'

/** The seller owns fewer of the token than that, or has promised them to other listings, auctions or offers. */
export const NOT_ENOUGH_OWNED = rule(40931, 'The seller does not have so many to sell')
/** The listing is sold or was taken off the shelf before. */
export const LISTING_CLOSED = rule(40932, 'The listing is closed already')
/** Another coupon of the project has this code. */
export const COUPON_CODE_TAKEN = rule(40933, 'Another coupon has this code')
/** The gateway cannot read the contract's chain just now: nothing was stored, and calling again later can succeed. */
export const CHAIN_UNREADABLE = rule(50301, 'The chain cannot be read just now')
