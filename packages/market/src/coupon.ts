import { Amount, Integer, Positive, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import { Listing } from './listing.ts'

/** What `couponType` means; the specification shows no values. */
export const CouponType = {
  /** `value` is in basis points of the price: 1000 takes off a tenth. */
  PERCENT: 1,
  /** `value` is taken off the price of an order, which does not fall below 0. */
  AMOUNT_OFF: 2,
  /** `value` is the price of one. */
  FIXED_PRICE: 3,
} as const

const terms = {
  /** See `CouponType`. */
  couponType: v.picklist([1, 2, 3]),
  /** Basis points from 1 to 10000, or base units of the listing's pay token; see `CouponType`. Not 0. */
  value: Amount,
  /** What an order must cost without the coupon, in base units of the listing's pay token; default 0. */
  minimumAmount: v.optional(Amount),
  /** How many orders it is good for, whoever makes them and by whatever code; none: any number. */
  maxRedemptions: v.optional(Positive),
  /** How many orders of one wallet it is good for; none: any number. */
  maxPerWallet: v.optional(Positive),
}

const window = {
  /** From when it is good; default: now. */
  startTime: v.optional(Timestamp),
  /** Until when it is good; none: as long as there are listings with it. */
  endTime: v.optional(Timestamp),
}

const ownCode = {
  /** Your own code: 4 to 64 of A-Z, 0-9 and -, whatever the case. Without one, 12 characters are drawn. */
  code: v.optional(Text),
}

/** What a coupon is made of. */
export const couponTerms = { ...terms, ...window, ...ownCode }

/** The coupon that a listing is put on the shelf with. */
export const withCoupon = {
  /** Its terms. */
  coupon: v.strictObject(couponTerms),
}

/** A coupon that has an end. */
export const withLimitedCoupon = {
  /** Its terms, with the time that it is good until. */
  coupon: v.strictObject({ ...couponTerms, endTime: Timestamp }),
}

const couponFields = {
  /** The code of a coupon that applies by itself; `''` of one whose codes were handed out. */
  code: v.string(),
  /** See `CouponType`. */
  couponType: Integer,
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** `''`: it has no end. */
  endTime: v.string(),
  /** The coupon's id. */
  id: Integer,
  /** 2 coupon, 3 limited-time coupon, 4 coupon code: the listings that it is for. */
  marketType: Integer,
  /** 0: any number. */
  maxPerWallet: Integer,
  /** 0: any number. */
  maxRedemptions: Integer,
  /** What an order must cost without the coupon, in base units of the listing's pay token. */
  minimumAmount: Amount,
  /** The project that it belongs to. */
  projectId: Integer,
  /** Orders that were paid with it. */
  redeemed: Integer,
  /** From when it is good. */
  startTime: Timestamp,
  /** When it was last changed. */
  updateTime: Timestamp,
  /** Orders that have it: those that were paid, and those that wait for their payment. */
  used: Integer,
  /** Basis points, or base units of the listing's pay token; see `CouponType`. */
  value: Amount,
}

const coupon = record(couponFields)
/** What lowers a listing's price, with how often it was used. */
export interface Coupon extends v.InferOutput<typeof coupon> {}
export const Coupon: Schema<Coupon> = coupon

const couponOnShelf = record({
  ...couponFields,
  /** The listings on the shelf that take it, newest first; at most 100. */
  listings: v.array(Listing),
})
/** A coupon and what can be bought with it. */
export interface CouponOnShelf extends v.InferOutput<typeof couponOnShelf> {}
export const CouponOnShelf: Schema<CouponOnShelf> = couponOnShelf

const madeCoupon = record({
  /** The coupon. */
  coupon: Coupon,
  /** What buyers enter, upper-case. */
  codes: v.array(v.string()),
})
/** A coupon with its codes. */
export interface MadeCoupon extends v.InferOutput<typeof madeCoupon> {}
export const MadeCoupon: Schema<MadeCoupon> = madeCoupon
