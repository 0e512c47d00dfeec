import { LOCALE } from '../language/locale.ts'
import { t } from '../language/translate.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From this age on, a date says more than a number of days. */
const MAX_RELATIVE_MS = 7 * DAY_MS

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' })

function createFormat(options: Intl.DateTimeFormatOptions): (time: string | number) => string {
  const format = new Intl.DateTimeFormat(LOCALE, options)
  return (time) => format.format(new Date(time))
}

/** Formats a time with seconds and the time zone. */
export const formatExactTime = createFormat({ dateStyle: 'medium', timeStyle: 'long' })

/** Formats a date and a time to the minute. */
export const formatTime = createFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** Formats a time of a day to the minute, for the axis of a chart: `10:15 AM`. */
export const formatTimeOfDay = createFormat({ timeStyle: 'short' })

/** Formats a date. */
export const formatDate = createFormat({ dateStyle: 'medium' })

/** Formats a month: `November 2026`. */
export const formatMonth = createFormat({ month: 'long', year: 'numeric' })

/** Formats a day for the axis of a chart: `Jan 15`. */
export const formatDay = createFormat({ month: 'short', day: 'numeric' })

/**
 * Formats a time relative to now, up to a week away: `5 min. ago`, `in 2 hr.`. Beyond that it returns the
 * date.
 *
 * @param now Milliseconds since the epoch.
 */
export function formatRelativeTime(time: string | number, now: number): string {
  const distance = new Date(time).getTime() - now
  const size = Math.abs(distance)
  if (size < 10 * SECOND_MS) return t('just now')
  if (size < MINUTE_MS) return relative.format(Math.trunc(distance / SECOND_MS), 'second')
  if (size < HOUR_MS) return relative.format(Math.trunc(distance / MINUTE_MS), 'minute')
  if (size < DAY_MS) return relative.format(Math.trunc(distance / HOUR_MS), 'hour')
  if (size < MAX_RELATIVE_MS) return relative.format(Math.trunc(distance / DAY_MS), 'day')
  return formatDate(time)
}

/** Converts a time to the value of an input for a local date and time: `2026-01-15T10:00`. */
export function toLocalInput(time: string | number | Date): string {
  const moment = new Date(time)
  const pad = (part: number, digits = 2) => String(part).padStart(digits, '0')
  // Not by the offset of the time zone, which had seconds before clocks were standardized.
  const date = [pad(moment.getFullYear(), 4), pad(moment.getMonth() + 1), pad(moment.getDate())].join('-')
  return `${date}T${pad(moment.getHours())}:${pad(moment.getMinutes())}`
}

/**
 * Converts the value of an input for a local date and time to ISO 8601 in UTC. Undefined if it is not a time.
 */
export function fromLocalInput(value: string): string | undefined {
  const moment = new Date(value)
  return value === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** Returns the time zone of the browser, such as `Europe/Berlin`. */
export function getTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A day with its limits, in the time zone of the browser. */
export interface Day {
  /** Midnight at its beginning, ISO 8601 in UTC. */
  readonly from: string
  /** Midnight at its end. */
  readonly to: string
}

/**
 * Lists the last `count` days, oldest first; today is the last one.
 *
 * @param now Milliseconds since the epoch.
 */
export function listLastDays(count: number, now: number): readonly Day[] {
  const today = new Date(now)
  // The constructor adjusts days that lie in another month, and days that a clock change makes longer or
  // shorter.
  const midnight = (offset: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset).toISOString()
  return Array.from({ length: count }, (_, index) => ({
    from: midnight(index - count + 1),
    to: midnight(index - count + 2),
  }))
}

/** From this many years on, an end means that nobody has set one: the gateway's default is ten years. */
const OPEN_END_YEARS = 9

/** A time from its start to its end, in ISO 8601. */
interface Period {
  readonly startTime: string
  readonly endTime: string
}

/**
 * Whether a listing or a phase ends at a time that somebody has chosen, as opposed to the default of the
 * gateway.
 */
export function hasChosenEnd({ startTime, endTime }: Period): boolean {
  const years = new Date(endTime).getUTCFullYear() - new Date(startTime).getUTCFullYear()
  return years < OPEN_END_YEARS
}

/**
 * Formats how long something lasts by its two largest units, or by one if the other is zero. A duration below
 * 0 counts as 0.
 *
 * @example formatDuration(93_784_000) // '1 d 2 h'
 */
export function formatDuration(milliseconds: number): string {
  const rest = Math.max(0, milliseconds)
  const days = Math.floor(rest / DAY_MS)
  const hours = Math.floor((rest % DAY_MS) / HOUR_MS)
  const minutes = Math.floor((rest % HOUR_MS) / MINUTE_MS)
  const seconds = Math.floor((rest % MINUTE_MS) / SECOND_MS)
  const units = [
    { count: days, text: t('{days} d', { days }) },
    { count: hours, text: t('{hours} h', { hours }) },
    { count: minutes, text: t('{minutes} min', { minutes }) },
    { count: seconds, text: t('{seconds} s', { seconds }) },
  ]
  const first = units.findIndex(({ count }) => count > 0)
  const largest = first < 0 ? units.slice(-1) : units.slice(first, first + 2)
  return largest
    .filter(({ count }, index) => index === 0 || count > 0)
    .map(({ text }) => text)
    .join(' ')
}
