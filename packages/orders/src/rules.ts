export { CHAIN_UNREADABLE } from '@mintmark/envelope'

/** The order is past the states that a payment's hash can be reported in. The hash was noted: a payment that shows up after all counts. */
export const ORDER_NOT_PAYABLE = 40901
/** The recipient named is not the order's. */
export const ORDER_RECIPIENT_MISMATCH = 40902
/** The hash belongs to another order. */
export const PAYMENT_HASH_TAKEN = 40903
/** A transaction reported before is mined already. The hash was noted: a second payment is owed back. */
export const PAYMENT_MINED = 40904
/** Only an order that waits for its payment can be cancelled. */
export const ORDER_NOT_CANCELLABLE = 40905
/** The listing is sold, off the shelf, past its end or before its start. */
export const LISTING_NOT_OPEN = 40906
/** Fewer are left than were asked for; open orders of others may still set some free. */
export const OUT_OF_STOCK = 40907
/** The wallet has as many open orders of the listing as it may have. */
export const TOO_MANY_OPEN_ORDERS = 40908
/** Too many transactions were reported for one order. */
export const TOO_MANY_PAYMENTS = 40909
/** The listing takes no such code, or its coupon is not good now. */
export const COUPON_INVALID = 40910
/** Others have every use of the coupon; open orders may still set some free. */
export const COUPON_USED_UP = 40911
/** The wallet has used the coupon as often as it may. */
export const COUPON_WALLET_LIMIT = 40912
/** The order costs less than what the coupon is good for. */
export const COUPON_MINIMUM = 40913
/** The listing is for other wallets. */
export const LISTING_RESERVED = 40311
