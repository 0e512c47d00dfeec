import { expect, it } from 'vitest'
import { getPeriod, readDay } from './report-periods.ts'

const at = (day: string) => new Date(`${day}T12:00:00`).getTime()

it.each([
  ['month', '2026-11-15', '2026-11-01', '2026-11-15', '2026-10-01', '2026-10-15'],
  // Whole months are compared with whole months.
  ['month', '2026-11-30', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['month', '2026-03-30', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['month', '2027-01-02', '2027-01-01', '2027-01-02', '2026-12-01', '2026-12-02'],
  ['lastMonth', '2026-03-30', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
  ['year', '2028-02-29', '2028-01-01', '2028-02-29', '2027-01-01', '2027-02-28'],
] as const)(
  'the period %s on %s is %s to %s, and is compared with %s to %s',
  (name, today, from, to, ...before) => {
    expect(getPeriod(name, { from: undefined, to: undefined }, at(today))).toEqual({
      days: { from, to },
      before: { from: before[0], to: before[1] },
    })
  },
)

it.each([
  ['2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
  ['2026-02-01', '2026-03-31', '2025-12-01', '2026-01-31'],
  ['2026-03-05', '2026-03-05', '2026-03-04', '2026-03-04'],
])('the days %s to %s are compared with %s to %s', (from, to, ...before) => {
  expect(getPeriod('own', { from, to }, at('2026-11-15'))).toEqual({
    days: { from, to },
    before: { from: before[0], to: before[1] },
  })
})

it('other days begin as those of this month, also for an address that names none', () => {
  const own = { from: readDay('2026-13-01'), to: readDay(undefined) }
  expect(getPeriod('own', own, at('2026-11-15')).days).toEqual({ from: '2026-11-01', to: '2026-11-15' })
})
