import { type DailyTotals, dailyTotals } from '@mintmark/admin'
import type { UseQueryResult } from '@tanstack/react-query'
import { useOperation } from '../../api/operations.ts'
import { getTimeZone } from '../../format/time.ts'

/** The days of a period, unless the person chooses others. */
export const DEFAULT_DAYS = 30

/** Reads the totals of the last days, and of as many days before them. */
export function useProjectTotals(days: number): UseQueryResult<DailyTotals> {
  return useOperation(dailyTotals.get, { timeZone: getTimeZone(), days: 2 * days })
}

/** The newer half of the values of days: those of the period. */
export const ofPeriod = <Value>(values: readonly Value[]) => values.slice(values.length / 2)

/** The older half of the values of days: those of the period before. */
export const ofPeriodBefore = <Value>(values: readonly Value[]) => values.slice(0, values.length / 2)

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
