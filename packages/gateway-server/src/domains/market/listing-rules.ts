import { LISTING_NOT_OPEN, OUT_OF_STOCK } from '@mintmark/orders'
import { type HttpError, refusal } from '@mintmark/server-kit'
import { toOpeningTimes } from '../../http/opening-times.ts'

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

/**
 * Creates the refusal of an order that could not reserve a listing. A listing that is open was out of stock
 * at that time: another order may have released its quantity since.
 */
export function createListingRefusal(listing: {
  readonly status: string
  readonly started: boolean
  readonly ended: boolean
  readonly remaining: number
  readonly start_time: Date
  readonly end_time: Date
}): HttpError {
  const isOpen = listing.status === 'ON' && listing.started && !listing.ended
  return isOpen
    ? refusal(OUT_OF_STOCK, { remaining: listing.remaining })
    : refusal(LISTING_NOT_OPEN, toOpeningTimes(listing))
}
