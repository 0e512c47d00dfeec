/** How things are sold (market-rules, "Common"). */
export const COMMON_SALE = 1
/** Cheaper by a coupon that applies by itself. */
export const COUPON_SALE = 2
/** The same, for a time. */
export const LIMITED_TIME_COUPON = 3
/** Cheaper for who enters a code. */
export const COUPON_CODE = 4
/** For named wallets. */
export const SPECIFIED_SALE = 5
export const AUCTION = 6
export const OFFER = 7
/** A product card, to be minted once it is paid. */
export const PRODUCT_CARD = 8
/** A lazily minted NFT, to be minted once it is paid. */
export const LAZY_MINTING = 9

/** ERC-20s with more than this are none that anybody pays with; whole-token numbers would lose them anyway. */
export const MAX_DECIMALS = 36

/** Why nothing can be ordered of a listing as it stands. */
export type Closed = 'not_open' | 'out_of_stock'

/** One that is open by now was out of stock when it was asked for: another order has given back what it had since. */
export function whyClosed(listing: {
  readonly status: string
  readonly started: boolean
  readonly ended: boolean
}): Closed {
  return listing.status === 'ON' && listing.started && !listing.ended ? 'out_of_stock' : 'not_open'
}
