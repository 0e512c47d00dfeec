import { serverOnly } from '@mintmark/envelope'
import { openingTimes } from '@mintmark/minting'

export { CHAIN_UNREADABLE } from '@mintmark/envelope'
export {
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  OUT_OF_STOCK,
} from '@mintmark/minting'

/**
 * The order no longer accepts a payment report. The server still watches the reported transaction, and its
 * payment counts.
 *
 * Read the order before you pay a second time. Its status shows the outcome of a late payment.
 */
export const ORDER_NOT_PAYABLE = {
  code: 40901,
  reason: 'ORDER_NOT_PAYABLE',
  message: serverOnly(
    'The order can no longer be paid. The hash was recorded, and a payment that is found counts',
  ),
} as const
/**
 * The recipient is not the order's.
 *
 * Send the `recipient` of the order.
 */
export const ORDER_RECIPIENT_MISMATCH = {
  code: 40902,
  reason: 'ORDER_RECIPIENT_MISMATCH',
  message: serverOnly("The recipient is not the order's recipient"),
} as const
/**
 * The transaction already counts for another order.
 *
 * Report the transaction that pays this order. One transaction pays one order.
 */
export const PAYMENT_HASH_TAKEN = {
  code: 40903,
  reason: 'PAYMENT_HASH_TAKEN',
  message: serverOnly('The transaction paid another order. Report the one that pays this order'),
} as const
/**
 * A previously reported transaction is already mined. If this transaction pays the order a second time, the
 * seller owes a refund.
 *
 * Read the order. Do not pay a second time.
 */
export const PAYMENT_MINED = {
  code: 40904,
  reason: 'PAYMENT_MINED',
  message: serverOnly('A payment is already mined. A second one would be refunded'),
} as const
/**
 * The order's payment was reported, or the order has ended.
 *
 * Read the order's status. Only an unpaid order can be cancelled.
 */
export const ORDER_NOT_CANCELLABLE = {
  code: 40905,
  reason: 'ORDER_NOT_CANCELLABLE',
  message: serverOnly('Only an order that waits for its payment can be cancelled'),
} as const
/**
 * The order is not one that can be declined: it waits for its payment, it is a SUCCESS, or no final payment of
 * its buyer is known.
 *
 * Read the order. Cancel an unpaid one. What was delivered, and a payment that the chain does not show, is
 * decided by an operator.
 */
export const ORDER_NOT_DECLINABLE = {
  code: 40914,
  reason: 'ORDER_NOT_DECLINABLE',
  message: serverOnly('Only an order that was paid without success can be declined'),
} as const
/**
 * The transaction is not final yet, or the node does not know it.
 *
 * Record it again in a minute, without an idempotency key: with one, the refusal is returned again.
 */
export const REFUND_NOT_FINAL = {
  code: 40915,
  reason: 'REFUND_NOT_FINAL',
  message: serverOnly('The transaction is not final yet. Record it again in a minute'),
} as const
/**
 * The transaction does not move the order's token from its seller to its buyer, or it is older than the order.
 *
 * Check the hash. `getRefunds` returns the transfer that is expected.
 */
export const REFUND_MISMATCH = {
  code: 40916,
  reason: 'REFUND_MISMATCH',
  message: serverOnly("The transaction does not pay the order's buyer back"),
} as const
/**
 * The listing is sold out, closed, expired or not yet open.
 *
 * Choose another listing, or wait for the start of this one.
 */
export const LISTING_NOT_OPEN = {
  code: 40906,
  reason: 'LISTING_NOT_OPEN',
  message: serverOnly('The listing is sold, off the shelf, ended or not started'),
  detail: openingTimes,
} as const
/**
 * The wallet has reached the limit of open orders for the listing.
 *
 * Pay or cancel one of them, or let it expire.
 */
export const TOO_MANY_OPEN_ORDERS = {
  code: 40908,
  reason: 'TOO_MANY_OPEN_ORDERS',
  message: serverOnly('The wallet has too many open orders for this listing. Pay or cancel one first'),
} as const
/**
 * Too many transactions were reported for one order.
 *
 * Wait until one of them is mined. The chain determines the outcome of the order.
 */
export const TOO_MANY_PAYMENTS = {
  code: 40909,
  reason: 'TOO_MANY_PAYMENTS',
  message: serverOnly('Too many transactions were reported for the order'),
} as const
/**
 * The listing does not accept the code, or its coupon is not valid now.
 *
 * Check the code and its validity period, or order without it.
 */
export const COUPON_INVALID = {
  code: 40910,
  reason: 'COUPON_INVALID',
  message: serverOnly('The coupon code does not apply to the listing, or is not valid now'),
} as const
/**
 * All uses of the coupon are reserved or redeemed. Open orders may still release some.
 *
 * Order without the coupon, or retry after open orders have ended.
 */
export const COUPON_USED_UP = {
  code: 40911,
  reason: 'COUPON_USED_UP',
  message: serverOnly('The coupon has no uses left. Open orders may release some'),
} as const
/**
 * The wallet has reached its limit for the coupon.
 *
 * Order without the coupon.
 */
export const COUPON_WALLET_LIMIT = {
  code: 40912,
  reason: 'COUPON_WALLET_LIMIT',
  message: serverOnly('The wallet has reached its limit for the coupon'),
} as const
/**
 * The order's price is below the minimum of the coupon.
 *
 * Order more units, or order without the coupon.
 */
export const COUPON_MINIMUM = {
  code: 40913,
  reason: 'COUPON_MINIMUM',
  message: serverOnly('The order is below the minimum amount of the coupon'),
} as const
/**
 * The listing is reserved for other wallets.
 *
 * Order for one of the wallets in `reservedFor` of the listing.
 */
export const LISTING_RESERVED = {
  code: 40311,
  reason: 'LISTING_RESERVED',
  message: serverOnly('The listing is reserved for other wallets'),
} as const
