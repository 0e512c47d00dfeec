import { ORDER_NOT_PAYABLE, OrderStatus, PAYMENT_MINED } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import {
  calendarOf,
  evaluateReport,
  isTransactionHash,
  type ReportOutcome,
  wholeTokens,
} from './order-rules.ts'

const first = '0xfirst'
const second = '0xsecond'

describe('a reported payment', () => {
  /** By the order's state: what the first hash, the same hash again, and another hash lead to. */
  const table: Record<
    keyof typeof OrderStatus,
    { before: ReportOutcome; same: ReportOutcome; other: ReportOutcome }
  > = {
    PRE: { before: 'accepted', same: 'same', other: 'accepted' },
    IN_PROGRESS: { before: 'accepted', same: 'same', other: 'accepted' },
    SUCCESS: { before: ORDER_NOT_PAYABLE, same: 'same', other: ORDER_NOT_PAYABLE },
    FAILED: { before: ORDER_NOT_PAYABLE, same: 'same', other: ORDER_NOT_PAYABLE },
    CANCELLED: { before: ORDER_NOT_PAYABLE, same: 'same', other: ORDER_NOT_PAYABLE },
    EXPIRED: { before: ORDER_NOT_PAYABLE, same: 'same', other: ORDER_NOT_PAYABLE },
    UNRESOLVED: { before: ORDER_NOT_PAYABLE, same: 'same', other: ORDER_NOT_PAYABLE },
  }
  const states = Object.entries(table).map(([name, reports]) => ({
    name,
    status: OrderStatus[name as keyof typeof OrderStatus],
    ...reports,
  }))

  it.each(states)(
    'an order in $name takes a reported payment by its state: the first, the same again and another hash',
    (state) => {
      const order = { status: state.status, expired: false, mined: false, partial_payments: false }
      const report = (hash: string, known: string) => evaluateReport({ ...order, hash: known }, hash)
      expect(report(first, '')).toBe(state.before)
      expect(report(first, first)).toBe(state.same)
      expect(report(second, first)).toBe(state.other)
    },
  )

  it('a reported payment is refused once another transaction is mined, while repeating the mined one is idempotent', () => {
    const order = {
      status: OrderStatus.IN_PROGRESS,
      hash: first,
      expired: false,
      partial_payments: false,
    }
    expect(evaluateReport({ ...order, mined: true }, second)).toBe(PAYMENT_MINED)
    expect(evaluateReport({ ...order, mined: true }, first)).toBe('same')
  })

  it('a reported payment is accepted after another one was mined only until an order that allows partial payments expires', () => {
    const order = {
      status: OrderStatus.IN_PROGRESS,
      hash: first,
      expired: false,
      mined: true,
      partial_payments: true,
    }
    expect(evaluateReport(order, second)).toBe('accepted')
    expect(evaluateReport({ ...order, expired: true }, second)).toBe(PAYMENT_MINED)
  })

  it('a reported payment is too late for an expired order', () => {
    const order = {
      status: OrderStatus.PRE,
      hash: '',
      expired: true,
      mined: false,
      partial_payments: true,
    }
    expect(evaluateReport(order, first)).toBe(ORDER_NOT_PAYABLE)
  })

  it('a reported payment is accepted after the expiry if the order was reported as paid before it', () => {
    const order = {
      status: OrderStatus.IN_PROGRESS,
      hash: first,
      expired: true,
      mined: false,
      partial_payments: false,
    }
    expect(evaluateReport(order, first)).toBe('same')
    expect(evaluateReport(order, second)).toBe('accepted')
  })
})

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
