import type { TextFormat } from './field-formats.ts'

const ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/
// Whoever sends a time without a zone usually means a local time, which the server does not know.
const WITHOUT_ZONE =
  'Expected a time zone: 2026-01-31T18:00:00Z in UTC, or with an offset, 2026-01-31T20:00:00+02:00'

/**
 * A time that PostgreSQL and ISO 8601 both write with a year of four digits, on a day that its month has:
 * JavaScript would read 30 February as a day in March.
 */
export const TIME_FORMAT: TextFormat = {
  description: 'a day of the calendar, in the years 1 to 9999, with a time zone',
  findProblem(text) {
    if (!ZONE.test(text)) return WITHOUT_ZONE
    return isCalendarTime(text) ? undefined : 'Expected a day of the calendar, in the years 1 to 9999'
  },
}

/** Parses a date-time of ISO 8601. Without an offset it is in UTC. */
export function parseTime(text: string): Date {
  const zoned = ZONE.test(text) ? text : `${text}Z`
  return new Date(zoned.replace(/([+-]\d{2})$/, '$1:00'))
}

/** Parses an optional date-time. */
export function parseOptionalTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseTime(text)
}

/** A range of creation times. */
export interface TimeRange {
  /** Created at this time or later. */
  readonly from?: Date | undefined
  /** Created before this time. */
  readonly to?: Date | undefined
}

/** Parses the fields `from` and `to` of a list. */
export function parseTimeRange({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}): TimeRange {
  return { from: parseOptionalTime(from), to: parseOptionalTime(to) }
}

function isCalendarTime(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  const daysOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const utcYear = parseTime(text).getUTCFullYear()
  return day <= daysOfMonth && utcYear >= 1 && utcYear <= 9999
}
