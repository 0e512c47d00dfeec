import { describe, expect, it } from 'vitest'
import { formatAmount, formatShortAmount, parseAmount, toApproximateNumber } from './amount.ts'

describe('formatAmount', () => {
  it.each([
    ['0', 6, '0'],
    ['1', 18, '0.000000000000000001'],
    ['1500000', 6, '1.5'],
    ['1234567000000', 6, '1,234,567'],
    ['42', 0, '42'],
    ['9007199254740993', 0, '9,007,199,254,740,993'],
    [
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      18,
      '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457.584007913129639935',
    ],
  ])('formats %s with %i decimals without rounding', (baseUnits, decimals, text) => {
    expect(formatAmount({ baseUnits, decimals })).toBe(text)
  })
})

describe('formatShortAmount', () => {
  it.each([
    ['1234567890123456789', 18, '1.2345'],
    ['123456789', 18, '0.0000000001234'],
    ['1000000000000000001', 18, '1'],
    ['1999999', 6, '1.9999'],
    ['0', 18, '0'],
  ])('cuts %s with %i decimals to its first digits and never rounds up', (baseUnits, decimals, text) => {
    expect(formatShortAmount({ baseUnits, decimals })).toBe(text)
  })
})

describe('parseAmount', () => {
  it.each([
    ['1.5', 6, '1500000'],
    ['1', 18, '1000000000000000000'],
    ['1,234.5', 2, '123450'],
    ['1,234,567', 2, '123456700'],
    [' 0.000001 ', 6, '1'],
    ['007', 0, '7'],
    ['1.', 2, '100'],
    ['1.50', 1, '15'],
  ])('converts %s with %i decimals to base units', (text, decimals, baseUnits) => {
    expect(parseAmount(text, decimals)).toBe(baseUnits)
  })

  it.each(['', '-1', '1.2.3', 'abc', '1e3', '0x10', '.5', '1.0000001'])(
    'refuses %j for 6 decimals',
    (text) => {
      expect(parseAmount(text, 6)).toBeUndefined()
    },
  )

  it.each(['1,5', '0,05', '12,50', '1,250', '0,025', '1.234,5', '1,2,3', ',5', '1,', '1.234.567'])(
    'refuses %j, whose comma or point may not mean what it means in English',
    (text) => {
      expect(parseAmount(text, 18)).toBeUndefined()
    },
  )

  it('reverses formatAmount', () => {
    for (const baseUnits of ['0', '1', '999', '123456789012345678901234567890']) {
      expect(parseAmount(formatAmount({ baseUnits, decimals: 18 }), 18)).toBe(baseUnits)
    }
  })
})

it('converts an amount to a number for a chart', () => {
  expect(toApproximateNumber({ baseUnits: '1500000', decimals: 6 })).toBe(1.5)
})
