import { CouponType, type couponSales } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { COUPON_INVALID, COUPON_MINIMUM, COUPON_USED_UP } from '@mintmark/orders'
import { parseOptionalTime } from '@mintmark/server-kit'
import { COUPON_CODE } from '../listing-rules.ts'

const WHOLE = 10_000n

/** The terms of a new coupon. */
export type CouponTerms = InputOf<typeof couponSales.putOnShelf>['coupon']

/**
 * Refuses terms that contradict each other.
 *
 * @param prefix Precedes the field names in the request.
 */
export function checkTerms(
  terms: CouponTerms,
  now: Date,
  prefix: '' | 'coupon.',
  invalid: (field: string, message: string) => never,
): void {
  if (terms.couponType === CouponType.PERCENT && BigInt(terms.value) > WHOLE)
    invalid(`${prefix}value`, `Expected basis points from 1 to ${WHOLE}`)
  const start = parseOptionalTime(terms.startTime) ?? now
  const end = parseOptionalTime(terms.endTime)
  if (end !== undefined && end <= start) invalid(`${prefix}endTime`, 'Expected a time after startTime')
}

/** Without 0 and O, 1, I and L, which people confuse. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 12

/** Draws a code. @param randomInt Returns a random integer from 0 to `limit - 1`. */
export function drawCode(randomInt: (limit: number) => number): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Whether a coupon applies to orders that name no code. */
export function appliesWithoutCode(marketType: number): boolean {
  return marketType !== COUPON_CODE
}

/**
 * Computes the price of an order with a coupon, in base units: at least 0, and at most the price without it.
 * A percentage is rounded in the seller's favor.
 */
export function calculatePrice(
  coupon: { readonly coupon_type: number; readonly value: string },
  { total, quantity }: { total: bigint; quantity: number },
): bigint {
  const value = BigInt(coupon.value)
  switch (coupon.coupon_type) {
    case CouponType.PERCENT:
      return total - (total * value) / WHOLE
    case CouponType.AMOUNT_OFF:
      return value < total ? total - value : 0n
    default: {
      const fixed = value * BigInt(quantity)
      return fixed < total ? fixed : total
    }
  }
}

/**
 * Finds the rule by which an order cannot use a coupon.
 *
 * @param coupon Its state after it could not be reserved; `running` is by the database's clock.
 */
export function findCouponRule(
  coupon: { readonly running: boolean; readonly minimum_amount: string },
  total: bigint,
): typeof COUPON_INVALID | typeof COUPON_MINIMUM | typeof COUPON_USED_UP {
  if (!coupon.running) return COUPON_INVALID
  return total < BigInt(coupon.minimum_amount) ? COUPON_MINIMUM : COUPON_USED_UP
}
