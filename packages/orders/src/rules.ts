import { rule } from '@mintmark/envelope'

/** The order is past the states that a payment's hash can be reported in. The hash was noted: a payment that shows up after all counts. */
export const ORDER_NOT_PAYABLE = rule(40901, 'The order can no longer be paid')
/** The recipient named is not the order's. */
export const ORDER_RECIPIENT_MISMATCH = rule(40902, "The recipient is not the order's")
/** The hash belongs to another order. */
export const PAYMENT_HASH_TAKEN = rule(40903, 'The hash was reported for another order')
/** A transaction reported before is mined already. The hash was noted: a second payment is owed back. */
export const PAYMENT_MINED = rule(40904, 'A payment is mined already')
/** Only an order that waits for its payment can be cancelled. */
export const ORDER_NOT_CANCELLABLE = rule(40905, 'The order can no longer be cancelled')
/** The listing is sold, off the shelf, past its end or before its start. */
export const LISTING_NOT_OPEN = rule(40906, 'Not on the shelf')
/** Fewer are left than were asked for; open orders of others may still set some free. */
export const OUT_OF_STOCK = rule(40907, 'Too few are left')
/** The wallet has as many open orders of the listing as it may have. */
export const TOO_MANY_OPEN_ORDERS = rule(40908, 'Too many open orders')
/** Too many transactions were reported for one order. */
export const TOO_MANY_PAYMENTS = rule(40909, 'Too many payments were reported')
/** The listing takes no such code, or its coupon is not good now. */
export const COUPON_INVALID = rule(40910, 'The coupon is not good for this')
/** Others have every use of the coupon; open orders may still set some free. */
export const COUPON_USED_UP = rule(40911, 'The coupon is used up')
/** The wallet has used the coupon as often as it may. */
export const COUPON_WALLET_LIMIT = rule(40912, 'The wallet has used up the coupon')
/** The order costs less than what the coupon is good for. */
export const COUPON_MINIMUM = rule(40913, 'Too cheap for the coupon')
/** The listing is for other wallets. */
export const LISTING_RESERVED = rule(40311, 'Reserved for others')
/** The gateway cannot read the listing's chain just now: nothing was stored, and calling again later can succeed. */
export const CHAIN_UNREADABLE = rule(50301, 'The chain does not answer')
