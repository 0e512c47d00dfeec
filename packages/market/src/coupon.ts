import {
  Amount,
  Integer,
  Positive,
  record,
  referenceField,
  referenceInput,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import * as v from 'valibot'

/** The values of `couponType`. The specification does not list them. */
export const CouponType = {
  /** `value` is a discount in basis points of the price: 1000 is 10 percent. */
  PERCENT: 1,
  /** `value` is subtracted from the price of an order, which does not fall below 0. */
  AMOUNT_OFF: 2,
  /** `value` is the price of one unit. */
  FIXED_PRICE: 3,
} as const
/** How a coupon lowers the price. */
export type CouponType = (typeof CouponType)[keyof typeof CouponType]

// A newer server may return further values, so the type of the record is open.
const couponType: Schema<CouponType | (number & {})> = Integer

const terms = {
  /** See `CouponType`. */
  couponType: v.picklist([1, 2, 3]),
  /** Basis points from 1 to 10000, or base units of the listing's pay token; see `CouponType`. Not 0. */
  value: Amount,
  /**
   * The minimum price of an order without the coupon, in base units of the listing's pay token. Default: 0.
   */
  minimumAmount: v.optional(Amount),
  /** The maximum number of orders with the coupon, over all wallets and codes. Default: unlimited. */
  maxRedemptions: v.optional(Positive),
  /** The maximum number of orders with the coupon for each wallet. Default: unlimited. */
  maxPerWallet: v.optional(Positive),
}

const window = {
  /**
   * When the coupon becomes valid: ISO 8601 with a time zone, such as `2026-01-01T00:00:00Z`. Default: now.
   */
  startTime: v.optional(Timestamp),
  /** When the coupon expires: ISO 8601 with a time zone. Default: never. */
  endTime: v.optional(Timestamp),
}

const ownCode = {
  /**
   * Your own code: 4 to 64 characters of A-Z, 0-9 and -; case does not matter. Default: 12 generated
   * characters.
   */
  code: v.optional(Text),
}

/** The terms of a coupon. */
export const couponTerms = { ...terms, ...window, ...ownCode, ...referenceInput }

/** The coupon of a new listing. */
export const couponField = {
  /** The coupon's terms. */
  coupon: v.strictObject(couponTerms),
}

/** The coupon of a new listing, with an expiry. */
export const limitedCouponField = {
  /** The coupon's terms, which include when it expires. */
  coupon: v.strictObject({
    ...couponTerms,
    /** When the coupon expires: ISO 8601 with a time zone, such as `2026-12-31T23:59:59Z`. */
    endTime: Timestamp,
  }),
}

export const couponFields = {
  /** The code of a coupon that applies automatically; `''` for a coupon with codes that buyers enter. */
  code: v.string(),
  /** See `CouponType`. */
  couponType,
  /** When the coupon was created. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** When the coupon expires; `''` if it does not expire. */
  endTime: v.string(),
  /** The coupon's id. */
  id: Integer,
  /** The kind of listing that the coupon is for: 2 coupon, 3 limited-time coupon, 4 coupon code. */
  marketType: Integer,
  /** The maximum number of orders with the coupon for each wallet; 0 if unlimited. */
  maxPerWallet: Integer,
  /** The maximum number of orders with the coupon; 0 if unlimited. */
  maxRedemptions: Integer,
  /** The minimum price of an order without the coupon, in base units of the listing's pay token. */
  minimumAmount: Amount,
  /** The project that the coupon belongs to. */
  projectId: Integer,
  /** The number of paid orders with the coupon. */
  redeemed: Integer,
  ...referenceField,
  /** When the coupon becomes valid. */
  startTime: Timestamp,
  /** When the coupon was last changed. */
  updateTime: Timestamp,
  /** The number of paid and unpaid orders with the coupon. */
  used: Integer,
  /** Basis points, or base units of the listing's pay token; see `CouponType`. */
  value: Amount,
}

const coupon = record(couponFields)
/** A coupon that lowers the price of a listing, with its number of uses. */
export interface Coupon extends v.InferOutput<typeof coupon> {}
export const Coupon: Schema<Coupon> = coupon

const madeCoupon = record({
  /** The coupon. */
  coupon: Coupon,
  /** The codes that buyers enter, in upper case. */
  codes: v.array(v.string()),
})
/** A coupon with its codes. */
export interface MadeCoupon extends v.InferOutput<typeof madeCoupon> {}
export const MadeCoupon: Schema<MadeCoupon> = madeCoupon
