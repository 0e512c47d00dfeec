import type { SegmentedOrder } from '@mintmark/server-kit'

/** An order whose segments a job counts. */
export interface CountedOrder extends SegmentedOrder {
  /** The columns that its keys depend on. */
  readonly sources: readonly string[]
  /** Returns the SQL of the value of a number. */
  selectValue(number: string): string
}

/** Years 1 to 9999, as microseconds since 1970. Callers can set no other times. */
const FIRST_TIME = -62_135_596_800_000_000n
const LAST_TIME = 253_402_300_800_000_000n
const COUNT_OF_TIMES = LAST_TIME - FIRST_TIME

/**
 * Creates the order by a time, whose number is that of microseconds since the year 1. A product of an
 * interval has 15 exact digits, which are enough for seconds.
 */
export const createTimeOrder = (column: string, lists: CountedOrder['lists']): CountedOrder => ({
  lists,
  sources: [column],
  selectNumber: (row) =>
    `(least(greatest(trunc(extract(epoch from ${row}.${column}) * 1000000), ${FIRST_TIME}), ${LAST_TIME}) - (${FIRST_TIME}))`,
  selectValue: (number) => {
    const microseconds = `((${number})::bigint + (${FIRST_TIME}))`
    return `(case when ${number} >= ${COUNT_OF_TIMES} then 'infinity' when ${number} <= 0 then '-infinity'
      else 'epoch'::timestamptz + ${microseconds} / 1000000 * interval '1 second' + ${microseconds} % 1000000 * interval '1 microsecond' end)`
  },
  formatValue: (number) => {
    if (number >= COUNT_OF_TIMES) return 'infinity'
    if (number <= 0n) return '-infinity'
    const milliseconds = new Date(Number((number + FIRST_TIME - (number % 1000n)) / 1000n))
    return `${milliseconds.toISOString().slice(0, -1)}${String(number % 1000n).padStart(3, '0')}Z`
  },
  parseValue: undefined,
})

/**
 * Creates the order by an amount, whose rows have its decimal text after the number of its digits: see
 * `0040-list-indexes.ts`.
 *
 * @param amount The column of the amount.
 */
export const createAmountOrder = (amount: string, lists: CountedOrder['lists']): CountedOrder => ({
  lists,
  sources: [amount],
  selectNumber: (row) => `${row}.${amount}`,
  selectValue: (number) => `(lpad(length((${number})::text)::text, 2, '0') || (${number})::text)`,
  formatValue: (number) => `${String(String(number).length).padStart(2, '0')}${number}`,
  parseValue: (value) => BigInt(value.slice(2)),
})
