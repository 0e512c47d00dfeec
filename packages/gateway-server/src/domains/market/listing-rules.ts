/** The market types. */
export const COMMON_SALE = 1
/** With a discount by a coupon that applies without a code. */
export const COUPON_SALE = 2
/** As `COUPON_SALE`, for a limited time. */
export const LIMITED_TIME_COUPON = 3
/** With a discount for buyers who enter a code. */
export const COUPON_CODE = 4
/** Reserved for named wallets. */
export const SPECIFIED_SALE = 5
export const AUCTION = 6
export const OFFER = 7
/** A product card, which is minted after payment. */
export const PRODUCT_CARD = 8
/** A lazily minted NFT, which is minted after payment. */
export const LAZY_MINTING = 9

/** The most base units that a transfer can move. */
export const MAX_TRANSFER = 2n ** 256n - 1n

/** The most decimals of a pay token. Amounts in whole tokens would lose more. */
export const MAX_DECIMALS = 36

/** Why nothing of a listing can be ordered. */
export type ClosedReason = 'not_open' | 'out_of_stock'

/**
 * Explains why an order could not reserve a listing. A listing that is open was out of stock at that time:
 * another order has released its quantity since.
 */
export function findClosedReason(listing: {
  readonly status: string
  readonly started: boolean
  readonly ended: boolean
}): ClosedReason {
  return listing.status === 'ON' && listing.started && !listing.ended ? 'out_of_stock' : 'not_open'
}
