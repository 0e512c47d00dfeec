import { expect, it } from 'vitest'
import {
  formatCompactAmount,
  formatCompactCount,
  formatCount,
  formatQuantity,
  formatRatio,
} from './number.ts'

it('formats counts, ratios and quantities for people', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(formatCompactCount(1_234_567)).toBe('1.2M')
  expect([0, 0.002, 0.00055, 1234.5, 1_500_000].map(formatCompactAmount)).toEqual([
    '0',
    '0.002',
    '0.00055',
    '1.23K',
    '1.5M',
  ])
  expect(formatRatio(0.125)).toBe('12.5%')
  const noun = { one: 'order', other: 'orders' }
  expect([0, 1, 1200].map((count) => formatQuantity(count, noun))).toEqual([
    '0 orders',
    '1 order',
    '1,200 orders',
  ])
})
