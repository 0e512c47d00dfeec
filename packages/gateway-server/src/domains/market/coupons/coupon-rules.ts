import { CouponType } from '@mintmark/market'
import { COUPON_CODE } from '../listings/listing-rules.ts'

const WHOLE = 10_000n

/** A coupon's terms as they are asked for. */
export interface Terms {
  readonly couponType: number
  readonly value: string
  readonly startTime?: string | undefined
  readonly endTime?: string | undefined
  readonly code?: string | undefined
}

/** Refuses terms that are no coupon's. `at` is what stands before a field's name in the request. */
export function refuseTerms(
  terms: Terms,
  now: Date,
  at: '' | 'coupon.',
  invalid: (field: string, message: string) => never,
): void {
  const value = BigInt(terms.value)
  if (value === 0n) invalid(`${at}value`, 'Expected a value above 0')
  if (terms.couponType === CouponType.PERCENT && value > WHOLE)
    invalid(`${at}value`, `Expected basis points from 1 to ${WHOLE}`)
  if (terms.code !== undefined && !isCouponCode(codeOf(terms.code)))
    invalid(`${at}code`, 'Expected 4 to 64 of A-Z, 0-9 and -')
  const start = terms.startTime === undefined ? now : new Date(terms.startTime)
  if (terms.endTime !== undefined) {
    const end = new Date(terms.endTime)
    if (end <= start) invalid(`${at}endTime`, 'Expected a time after startTime')
    if (end <= now) invalid(`${at}endTime`, 'Expected a time to come')
  }
}

/** A code as it is stored and compared. */
export function codeOf(text: string): string {
  return text.toUpperCase()
}

function isCouponCode(code: string): boolean {
  return /^[A-Z0-9-]{4,64}$/.test(code)
}

/** Without 0 and O, 1, I and L, which people take for each other. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const DRAWN_LENGTH = 12

/** Draws a code. @param below A random integer from 0 to below a number. */
export function drawCode(below: (limit: number) => number): string {
  return Array.from({ length: DRAWN_LENGTH }, () => ALPHABET[below(ALPHABET.length)]).join('')
}

/** Whether orders of listings with the coupon have it without naming a code. */
export function appliesByItself(marketType: number): boolean {
  return marketType !== COUPON_CODE
}

/**
 * What an order costs with a coupon, in base units: never more than without it, and never below 0. A share of the price is rounded in the
 * seller's favour.
 */
export function priceWith(
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

/** Why an order cannot have a coupon. */
export type Unusable = 'coupon_invalid' | 'coupon_minimum' | 'coupon_used_up'

/** @param coupon As it stands after it could not be had; its flags are by the database's clock. */
export function whyUnusable(
  coupon: { readonly running: boolean; readonly minimum_amount: string },
  total: bigint,
): Unusable {
  if (!coupon.running) return 'coupon_invalid'
  return total < BigInt(coupon.minimum_amount) ? 'coupon_minimum' : 'coupon_used_up'
}
