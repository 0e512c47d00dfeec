import { expect, it } from 'vitest'
import { hasChosenEnd } from './time.ts'

const startTime = '2026-01-15T10:00:00Z'

it('tells an end that somebody has chosen from the default of ten years', () => {
  expect(hasChosenEnd({ startTime, endTime: '2027-01-15T10:00:00Z' })).toBe(true)
  expect(hasChosenEnd({ startTime, endTime: '2036-01-15T10:00:00Z' })).toBe(false)
})
