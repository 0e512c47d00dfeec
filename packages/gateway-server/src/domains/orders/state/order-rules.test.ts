import { describe, expect, it } from 'vitest'
import { calendarOf, isTransactionHash, wholeTokens } from './order-rules.ts'

describe('the calendar of an order', () => {
  it.each([
    ['2026-01-15T12:00:00Z', { oday: 20260115, omonth: 202601, oseason: 20261, oweek: 202603, oyear: 2026 }],
    // A week belongs to the year of its Thursday.
    ['2021-01-01T00:00:00Z', { oday: 20210101, omonth: 202101, oseason: 20211, oweek: 202053, oyear: 2021 }],
    ['2021-01-03T23:59:59Z', { oday: 20210103, omonth: 202101, oseason: 20211, oweek: 202053, oyear: 2021 }],
    ['2021-01-04T00:00:00Z', { oday: 20210104, omonth: 202101, oseason: 20211, oweek: 202101, oyear: 2021 }],
    ['2026-12-31T23:59:59Z', { oday: 20261231, omonth: 202612, oseason: 20264, oweek: 202653, oyear: 2026 }],
    ['2027-01-03T12:00:00Z', { oday: 20270103, omonth: 202701, oseason: 20271, oweek: 202653, oyear: 2027 }],
    ['2027-01-04T12:00:00Z', { oday: 20270104, omonth: 202701, oseason: 20271, oweek: 202701, oyear: 2027 }],
    ['2024-12-30T00:00:00Z', { oday: 20241230, omonth: 202412, oseason: 20244, oweek: 202501, oyear: 2024 }],
    ['2024-02-29T12:00:00Z', { oday: 20240229, omonth: 202402, oseason: 20241, oweek: 202409, oyear: 2024 }],
    ['2023-01-01T12:00:00Z', { oday: 20230101, omonth: 202301, oseason: 20231, oweek: 202252, oyear: 2023 }],
    ['2026-04-01T00:00:00Z', { oday: 20260401, omonth: 202604, oseason: 20262, oweek: 202614, oyear: 2026 }],
    ['2026-03-31T23:59:59Z', { oday: 20260331, omonth: 202603, oseason: 20261, oweek: 202614, oyear: 2026 }],
    // The day is UTC's, whatever the offset it was written with.
    [
      '2026-01-01T00:30:00+02:00',
      { oday: 20251231, omonth: 202512, oseason: 20254, oweek: 202601, oyear: 2025 },
    ],
  ])('an order made at %s has the day, week, month, season and year of UTC', (moment, expected) => {
    expect(calendarOf(new Date(moment))).toEqual(expected)
  })
})

describe('a price in whole tokens', () => {
  it.each([
    ['1500000', 6, 1.5],
    ['0', 18, 0],
    ['1', 18, 1e-18],
    ['25000000000000000000', 18, 25],
    ['123456789012345678', 18, 0.12345678901234568],
    ['7', 0, 7],
    [`${2n ** 256n - 1n}`, 18, 1.157920892373162e59],
  ])('a price of %s with %i decimals is %d whole tokens', (amount, decimals, expected) => {
    expect(wholeTokens(amount, decimals)).toBe(expected)
  })
})

it('recognizes transaction hashes', () => {
  expect(isTransactionHash(`0x${'aB'.repeat(32)}`)).toBe(true)
  for (const text of [
    '',
    '0x',
    'ab'.repeat(32),
    `0x${'ab'.repeat(31)}`,
    `0x${'ab'.repeat(33)}`,
    `0x${'ab'.repeat(32)}\n`,
  ]) {
    expect(isTransactionHash(text)).toBe(false)
  }
})
