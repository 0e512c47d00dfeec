import { COUPON_INVALID, COUPON_MINIMUM, COUPON_USED_UP } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import { type CouponTerms, calculatePrice, checkTerms, drawCode, findCouponRule } from './coupon-rules.ts'

const price = (couponType: number, value: string, total: bigint, quantity = 1) =>
  calculatePrice({ coupon_type: couponType, value }, { total, quantity })

describe('a price with a coupon', () => {
  it.each([
    ['a tenth off', 1, '1000', 1000n, 1, 900n],
    ['a share rounded in the seller’s favor', 1, '3333', 10n, 1, 7n],
    ['everything off', 1, '10000', 1000n, 1, 0n],
    ['an amount off an order, not off each', 2, '300', 2000n, 2, 1700n],
    ['an amount above the price', 2, '5000', 1000n, 1, 0n],
    ['a fixed price of each', 3, '400', 3000n, 3, 1200n],
    ['a fixed price above the listing’s', 3, '4000', 1000n, 1, 1000n],
    ['amounts that no number holds', 1, '1', 10n ** 77n, 1, 10n ** 77n - 10n ** 73n],
  ])('a price with a coupon is exact: %s', (_, couponType, value, total, quantity, costs) => {
    expect(price(couponType, value, total, quantity)).toBe(costs)
  })
})

describe('coupon terms', () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const refused = (terms: CouponTerms, at: '' | 'coupon.' = '') => {
    const fields: string[] = []
    const invalid = (field: string): never => {
      fields.push(field)
      throw new Error(field)
    }
    expect(() => checkTerms(terms, now, at, invalid)).toThrow()
    return fields
  }

  it.each<[string, CouponTerms]>([
    ['value', { couponType: 1, value: '10001' }],
    ['endTime', { couponType: 1, value: '1', endTime: '2026-06-01T00:00:00Z' }],
    [
      'endTime',
      { couponType: 1, value: '1', startTime: '2027-01-01T00:00:00Z', endTime: '2026-12-31T23:00:00Z' },
    ],
  ])('coupon terms are refused by their %s', (field, terms) => {
    expect(refused(terms)).toEqual([field])
    expect(refused(terms, 'coupon.')).toEqual([`coupon.${field}`])
  })

  it('coupon terms are accepted at their bounds', () => {
    const invalid = (field: string): never => expect.fail(field)
    checkTerms({ couponType: 1, value: '10000' }, now, '', invalid)
    checkTerms({ couponType: 2, value: '99999' }, now, '', invalid)
    checkTerms({ couponType: 3, value: '1', endTime: '2026-06-01T00:00:00.001Z' }, now, '', invalid)
  })
})

it('draws codes of 12 characters without ambiguous characters', () => {
  let next = 0
  const all = Array.from({ length: 31 }, () => drawCode((limit) => next++ % limit)).join('')
  expect(new Set(all)).toEqual(new Set('ABCDEFGHJKMNPQRSTUVWXYZ23456789'))
  expect(drawCode(() => 0)).toBe('AAAAAAAAAAAA')
})

it('finds the rule by which an order cannot use a coupon', () => {
  expect(findCouponRule({ running: false, minimum_amount: '0' }, 5n)).toBe(COUPON_INVALID)
  expect(findCouponRule({ running: true, minimum_amount: '6' }, 5n)).toBe(COUPON_MINIMUM)
  expect(findCouponRule({ running: true, minimum_amount: '5' }, 5n)).toBe(COUPON_USED_UP)
})
