import { dailyTotals, reports } from '@mintmark/admin'
import { expect } from 'vitest'
import { type Sample, sample } from './sample.ts'

const period = { from: '2024-02-01', to: '2024-02-29', timeZone: 'Europe/Berlin' }
const refusedPeriods = [
  ['to', { to: '2024-01-31' }],
  ['to', { to: '2025-02-01' }],
  ['from', { from: '2024-02-30' }],
  ['timeZone', { timeZone: 'Mars/Olympus' }],
] as const

export const totalsSamples: readonly Sample[] = [
  sample(dailyTotals.get, {
    input: () => ({ days: 2, timeZone: 'Europe/Berlin' }),
    otherProject: 'own',
    refused: [
      ['days', { days: 0 }],
      ['timeZone', { timeZone: 'Mars/Olympus' }],
    ],
    contains: { days: [expect.any(String), expect.any(String)], ordersPaid: [0, 0] },
  }),
  sample(reports.sales, {
    input: () => ({ ...period, by: 'month' as const }),
    otherProject: 'own',
    refused: refusedPeriods,
    checkResponse: (data) => expect(data).toEqual([]),
  }),
  sample(reports.redemptions, {
    input: () => ({ ...period, by: 'person' as const }),
    otherProject: 'own',
    refused: refusedPeriods,
    checkResponse: (data) => expect(data).toEqual([]),
  }),
]
