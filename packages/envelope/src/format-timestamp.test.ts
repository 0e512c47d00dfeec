import { expect, it } from 'vitest'
import { formatTimestamp } from './format-timestamp.ts'

it.each([
  [new Date(Date.UTC(2026, 0, 15, 10)), '2026-01-15T10:00:00.000Z'],
  [Date.UTC(2026, 0, 15, 10), '2026-01-15T10:00:00.000Z'],
  ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00.000Z'],
  ['2026-01-15 10:00+02:00', '2026-01-15T08:00:00.000Z'],
  ['2026-01-15T10:00:00.5-0330', '2026-01-15T13:30:00.500Z'],
])('formatTimestamp formats %o in UTC', (time, text) => {
  expect(formatTimestamp(time)).toBe(text)
})

it.each(['2026-01-15T10:00:00', '2026-01-15', '15.01.2026 10:00', 'tomorrow', ''])(
  'formatTimestamp rejects %j, which has no time zone',
  (time) => {
    expect(() => formatTimestamp(time)).toThrow(
      `Expected an ISO 8601 date-time with a time zone, received ${JSON.stringify(time)}. Append Z for UTC, or an offset such as +02:00`,
    )
  },
)

it.each([new Date('tomorrow'), Number.NaN, '2026-13-45T10:00:00Z'])(
  'formatTimestamp rejects the invalid time %o',
  (time) => {
    expect(() => formatTimestamp(time)).toThrow('Expected a valid time, received')
  },
)
