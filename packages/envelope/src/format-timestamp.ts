const DATE_TIME_WITH_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/**
 * Formats a time as inputs expect it: ISO 8601 in UTC with milliseconds. A text must have a time zone,
 * because servers refuse a time without one: a person who typed it usually meant a local time.
 *
 * @param time A `Date`, milliseconds since the epoch, or an ISO 8601 date-time with `Z` or an offset.
 * @throws TypeError for a text without a time zone and for an invalid time.
 * @example
 * const startTime = formatTimestamp(new Date())
 * const endTime = formatTimestamp('2026-12-31T20:00:00+01:00') // '2026-12-31T19:00:00.000Z'
 */
export function formatTimestamp(time: Date | number | string): string {
  if (typeof time === 'string' && !DATE_TIME_WITH_ZONE.test(time)) {
    throw new TypeError(
      `Expected an ISO 8601 date-time with a time zone, received ${JSON.stringify(time)}. Append Z for UTC, or an offset such as +02:00`,
    )
  }
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) {
    throw new TypeError(`Expected a valid time, received ${JSON.stringify(time)}`)
  }
  return date.toISOString()
}
