import { dailyTotals } from '@mintmark/admin'
import { expect } from 'vitest'
import { type Sample, sample } from './sample.ts'

export const totalsSamples: readonly Sample[] = [
  sample(dailyTotals.get, {
    input: () => ({ days: 2, timeZone: 'Europe/Berlin' }),
    otherProject: 'own',
    refused: [
      ['days', { days: 0 }],
      ['timeZone', { timeZone: 'Mars/Olympus' }],
    ],
    checkResponse: (data) =>
      expect(data).toMatchObject({ days: [expect.any(String), expect.any(String)], ordersPaid: [0, 0] }),
  }),
]
