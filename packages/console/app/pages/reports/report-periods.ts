import { t } from '../../language/translate.ts'

/** Days in the time zone of the browser, such as `2026-11-01`. Both belong to the period. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The periods of reports, by their name in the address. */
export const PERIODS = {
  month: t('This month'),
  lastMonth: t('Last month'),
  year: t('This year'),
  own: t('Other days'),
} as const
type PeriodName = keyof typeof PERIODS

/** Returns the text of an address if it is a day. */
export function readDay(text: string | undefined): string | undefined {
  const isDay = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(toTime(text))
  return isDay ? text : undefined
}

/**
 * Returns the days of a period, and those of the period before, with which it is compared: as much of the month or the
 * year before; of other days as many whole months, or as many days.
 *
 * @param own The days of the period `own`, where they are set.
 * @param now Milliseconds since the epoch.
 */
export function getPeriod(
  name: PeriodName,
  own: { readonly [Limit in keyof Days]: string | undefined },
  now: number,
): { readonly days: Days; readonly before: Days } {
  const time = new Date(now)
  const today = formatDay(time.getFullYear(), time.getMonth(), time.getDate())
  const firstOfMonth = `${today.slice(0, 7)}-01`
  const thisMonth = { from: firstOfMonth, to: today }
  if (name === 'own') {
    const { from = thisMonth.from, to = thisMonth.to } = own
    return { days: { from, to }, before: getDaysBefore({ from, to }) }
  }
  const lastMonth = { from: addMonths(firstOfMonth, -1), to: addDays(firstOfMonth, -1) }
  const days = { month: thisMonth, lastMonth, year: { from: `${today.slice(0, 4)}-01-01`, to: today } }[name]
  const months = name === 'year' ? -12 : -1
  return { days, before: { from: addMonths(days.from, months), to: addMonths(days.to, months) } }
}

/** Returns as many whole months before whole months, and before other days as many days. */
function getDaysBefore({ from, to }: Days): Days {
  const before = addDays(from, -1)
  if (from.endsWith('-01') && isLastOfMonth(to) && from <= to)
    return { from: addMonths(from, countMonths(from) - countMonths(to) - 1), to: before }
  return { from: addDays(from, (toTime(from) - toTime(to)) / DAY_MS - 1), to: before }
}

const countMonths = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
const isLastOfMonth = (day: string) => addDays(day, 1).endsWith('-01')

const DAY_MS = 86_400_000

// Days are computed in UTC, where all of them have the same length.
const toTime = (day: string) => Date.parse(`${day}T00:00:00Z`)
const formatDay = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

function addDays(day: string, count: number): string {
  return new Date(toTime(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the same day of another month, or its last one if that is shorter. The last day of a month stays the last one. */
function addMonths(day: string, count: number): string {
  const date = new Date(toTime(day))
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count]
  const last = formatDay(year, month + 1, 0)
  return isLastOfMonth(day) || date.getUTCDate() > Number(last.slice(-2))
    ? last
    : formatDay(year, month, date.getUTCDate())
}
