import { parseTime, type TextFormat, TIME_FORMAT } from '@mintmark/server-kit'
import { describe, expect, it } from 'vitest'
import {
  CHAIN_ID_FORMAT,
  COUPON_CODE_FORMAT,
  FUTURE_TIME_FORMAT,
  HASH_FORMAT,
  NEW_COUPON_CODE_FORMAT,
  POSITIVE_AMOUNT_FORMAT,
} from './formats.ts'

const inOneSecond = () => new Date(Date.now() + 1000).toISOString()

describe('a format', () => {
  it.each<[string, TextFormat, readonly string[]]>([
    ['a chain id in decimal digits', CHAIN_ID_FORMAT, ['1', '84532', '999999999999999999']],
    ['a new coupon code at its bounds', NEW_COUPON_CODE_FORMAT, ['ab-2', 'Z'.repeat(64)]],
    ['an amount above 0', POSITIVE_AMOUNT_FORMAT, ['1', '9'.repeat(78)]],
    ['a hash in any case', HASH_FORMAT, [`0x${'aB'.repeat(32)}`]],
    ['any text as a coupon code to look up', COUPON_CODE_FORMAT, ['?', 'AB CD']],
    ['a time in the future', FUTURE_TIME_FORMAT, [inOneSecond()]],
  ])('a format accepts %s', (_, format, texts) => {
    for (const text of texts) expect(format.findProblem(text), text).toBeUndefined()
  })

  it.each<[string, TextFormat, readonly string[]]>([
    [
      'a text that is not a canonical chain id',
      CHAIN_ID_FORMAT,
      ['0', '01', '1.5', '-1', '0x1', '1e3', 'eip155:1', '1'.repeat(19)],
    ],
    ['a malformed coupon code', NEW_COUPON_CODE_FORMAT, ['ABC', 'A'.repeat(65), 'AB CD', 'ÄÖÜß']],
    ['an amount of 0', POSITIVE_AMOUNT_FORMAT, ['0']],
    ['a hash of another length', HASH_FORMAT, ['0x', `0x${'a'.repeat(63)}`, 'a'.repeat(64)]],
    ['a time in the past', FUTURE_TIME_FORMAT, ['2021-01-01T00:00:00Z', '2099-02-30T00:00:00Z']],
  ])('a format refuses %s', (_, format, texts) => {
    for (const text of texts) expect(format.findProblem(text), text).toMatch(/^Expected /)
  })

  it('a format stores coupon codes in upper case and hashes in lower case', () => {
    expect(NEW_COUPON_CODE_FORMAT.normalize?.('summer-26')).toBe('SUMMER-26')
    expect(COUPON_CODE_FORMAT.normalize?.('summer-26')).toBe('SUMMER-26')
    expect(HASH_FORMAT.normalize?.('0xAB')).toBe('0xab')
  })
})

it.each([
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01 00:00Z', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T02:00:00+0200', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T02:00:00+02', '2026-01-01T00:00:00.000Z'],
  ['2025-12-31T19:30:00-04:30', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('a time of %s is parsed as %s', (text, expected) => {
  expect(TIME_FORMAT.findProblem(text)).toBeUndefined()
  expect(parseTime(text).toISOString()).toBe(expected)
})

it.each([
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '0000-12-31T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  '2026-13-01T00:00:00Z',
])('a time of %s is refused', (text) => {
  expect(TIME_FORMAT.findProblem(text)).toBe('Expected a day of the calendar, in the years 1 to 9999')
})

it.each(['2026-01-01T00:00:00', '2026-01-01 00:00', '2026-01-01T00:00:00.5'])(
  'a time of %s is refused with both forms of a time zone',
  (text) => {
    const problem = TIME_FORMAT.findProblem(text)
    expect(problem).toContain('2026-01-31T18:00:00Z')
    expect(problem).toContain('2026-01-31T20:00:00+02:00')
  },
)
