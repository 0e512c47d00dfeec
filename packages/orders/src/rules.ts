export { CHAIN_UNREADABLE } from '@mintmark/envelope'
export { MINT_LIMIT_REACHED, NOT_WHITELISTED } from '@mintmark/minting'

/**
 * The order is past the states that a payment's hash can be reported in. The hash was noted: a payment that shows up after all
 * counts.
 *
 * Read the order before paying again; what was paid too late is settled by the order's status.
 */
export const ORDER_NOT_PAYABLE = { code: 40901, reason: 'ORDER_NOT_PAYABLE' } as const
/**
 * The recipient named is not the order's.
 *
 * Name the `recipient` that the order was placed for.
 */
export const ORDER_RECIPIENT_MISMATCH = { code: 40902, reason: 'ORDER_RECIPIENT_MISMATCH' } as const
/**
 * The transaction counts for another order already.
 *
 * Report the transaction that pays this order: one transaction pays one order.
 */
export const PAYMENT_HASH_TAKEN = { code: 40903, reason: 'PAYMENT_HASH_TAKEN' } as const
/**
 * A transaction reported before is mined already. The hash was noted: a second payment is owed back.
 *
 * Read the order; do not pay again.
 */
export const PAYMENT_MINED = { code: 40904, reason: 'PAYMENT_MINED' } as const
/**
 * Only an order that waits for its payment can be cancelled.
 *
 * Read the order for its status.
 */
export const ORDER_NOT_CANCELLABLE = { code: 40905, reason: 'ORDER_NOT_CANCELLABLE' } as const
/**
 * The listing is sold, off the shelf, past its end or before its start.
 *
 * Take another listing, or wait for its start.
 */
export const LISTING_NOT_OPEN = { code: 40906, reason: 'LISTING_NOT_OPEN' } as const
/**
 * Fewer are left than were asked for; open orders of others may still set some free.
 *
 * Order fewer, or try again once open orders have ended.
 */
export const OUT_OF_STOCK = { code: 40907, reason: 'OUT_OF_STOCK' } as const
/**
 * The wallet has as many open orders of the listing as it may have.
 *
 * Pay or cancel one of them, or let it expire.
 */
export const TOO_MANY_OPEN_ORDERS = { code: 40908, reason: 'TOO_MANY_OPEN_ORDERS' } as const
/**
 * Too many transactions were reported for one order.
 *
 * Wait until one of them is mined; the order is judged by the chain.
 */
export const TOO_MANY_PAYMENTS = { code: 40909, reason: 'TOO_MANY_PAYMENTS' } as const
/**
 * The listing takes no such code, or its coupon is not good now.
 *
 * Check the code and its time, or order without it.
 */
export const COUPON_INVALID = { code: 40910, reason: 'COUPON_INVALID' } as const
/**
 * Others have every use of the coupon; open orders may still set some free.
 *
 * Order without it, or try again once open orders have ended.
 */
export const COUPON_USED_UP = { code: 40911, reason: 'COUPON_USED_UP' } as const
/**
 * The wallet has used the coupon as often as it may.
 *
 * Order without it.
 */
export const COUPON_WALLET_LIMIT = { code: 40912, reason: 'COUPON_WALLET_LIMIT' } as const
/**
 * The order costs less than what the coupon is good for.
 *
 * Order more, or without it.
 */
export const COUPON_MINIMUM = { code: 40913, reason: 'COUPON_MINIMUM' } as const
/**
 * The listing is for other wallets.
 *
 * Order for one of the wallets in its `reservedFor`.
 */
export const LISTING_RESERVED = { code: 40311, reason: 'LISTING_RESERVED' } as const
