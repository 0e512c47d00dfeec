import type { AccountTotals } from '@mintmark/facilitator'

export const addUp = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Returns the older half of the values of days: those of the period before. */
export const getBefore = <Value>(values: readonly Value[]): readonly Value[] =>
  values.slice(0, values.length / 2)

const RATE_DAYS = 7

/**
 * Counts the full days for which the settles that are left last, at the rate of the last seven days. Undefined if
 * nothing was charged in them.
 */
export function countDaysLeft({
  charged,
  settlePrice,
  settlesLeft,
}: Pick<AccountTotals, 'charged' | 'settlePrice' | 'settlesLeft'>): number | undefined {
  const newest = charged.slice(-RATE_DAYS)
  const settles = addUp(newest.map((wei) => Number(BigInt(wei) / BigInt(settlePrice))))
  return settles === 0 ? undefined : Math.floor((settlesLeft * newest.length) / settles)
}
