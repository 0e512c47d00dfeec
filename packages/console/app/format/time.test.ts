import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatRelativeTime, fromLocalInput, listLastDays, toLocalInput } from './time.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const before = (ms: number) => new Date(now - ms).toISOString()

afterEach(() => vi.unstubAllEnvs())

describe('formatRelativeTime', () => {
  it.each([
    [0, 'just now'],
    [9_000, 'just now'],
    [45_000, '45 sec. ago'],
    [90_000, '1 min. ago'],
    [3 * 3_600_000, '3 hr. ago'],
    [26 * 3_600_000, 'yesterday'],
    [3 * 86_400_000, '3 days ago'],
    [-2 * 3_600_000, 'in 2 hr.'],
    [-86_400_000, 'tomorrow'],
  ])('formats a time %i milliseconds ago', (age, text) => {
    expect(formatRelativeTime(before(age), now)).toBe(text)
  })

  it('shows the date of a time that is more than a week away', () => {
    expect(formatRelativeTime('2025-06-15T12:00:00Z', now)).toBe('Jun 15, 2025')
  })
})

it('the value of an input for a local time is converted to UTC and back', () => {
  const time = '2026-07-01T10:30:00.000Z'
  expect(fromLocalInput(toLocalInput(time))).toBe(time)
})

// A person who types the year 2026 enters these first. The clocks of cities had seconds then.
it.each(['0002-01-15T10:00', '0020-01-15T10:00', '0202-01-15T10:00', '1850-06-30T23:59'])(
  'the value of an input for a local time stays as it was typed: %s',
  (value) => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC']) {
      vi.stubEnv('TZ', zone)
      expect(toLocalInput(fromLocalInput(value) ?? '')).toBe(value)
    }
  },
)

it.each(['', 'tomorrow', '2026-13-01T00:00'])(
  'the value of an input for a local time is no time: %j',
  (value) => {
    expect(fromLocalInput(value)).toBeUndefined()
  },
)

describe('listLastDays', () => {
  it('lists days that follow each other without gaps and end with today', () => {
    const days = listLastDays(30, now)
    expect(days).toHaveLength(30)
    for (const [index, day] of days.slice(1).entries()) expect(day.from).toBe(days[index]?.to)
    const today = days.at(-1)
    expect(Date.parse(today?.from ?? '')).toBeLessThanOrEqual(now)
    expect(Date.parse(today?.to ?? '')).toBeGreaterThan(now)
  })

  it('begins every day at local midnight, also where a clock change makes days longer or shorter', () => {
    for (const { from } of listLastDays(365, now)) {
      const { hours, minutes } = { hours: new Date(from).getHours(), minutes: new Date(from).getMinutes() }
      expect([hours, minutes]).toEqual([0, 0])
    }
  })
})
