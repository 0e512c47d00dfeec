import { listLastDays } from '../format/time.ts'

/** Periods that end now, by their name in the address, with their days. */
export const PERIOD_DAYS = { today: 1, week: 7, month: 30, quarter: 90 } as const

export type PeriodName = keyof typeof PERIOD_DAYS

/** The limits of a period, for the queries of lists. */
export interface TimeRange {
  readonly from?: string
  readonly to?: string
}

/**
 * Returns the beginning of a period: midnight of its first day, so that the query does not change with each
 * second. Other texts mean any time.
 *
 * @param now Milliseconds since the epoch.
 */
export function getTimeRange(name: string | undefined, now: number): TimeRange {
  if (name === undefined || !Object.hasOwn(PERIOD_DAYS, name)) return {}
  const [first] = listLastDays(PERIOD_DAYS[name as PeriodName], now)
  return first === undefined ? {} : { from: first.from }
}
