import { expect, it } from 'vitest'
import { getWaitSeconds } from './revert-waits.ts'

const rule = { from: 1, limit: 6, firstWaitSeconds: 10 }

it('doubles the wait with every revert, and ends at the limit, where payments are refused', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6].map((count) => getWaitSeconds({ count, age: 0 }, rule))
  expect(waits).toEqual([0, 10, 20, 40, 80, 160, 0])
})

it('counts the wait from the newest revert', () => {
  expect(getWaitSeconds({ count: 2, age: 12.5 }, rule)).toBe(8)
  expect(getWaitSeconds({ count: 2, age: 20 }, rule)).toBe(0)
})

it('begins at `from` and never exceeds ten minutes', () => {
  const accounts = { from: 50, limit: 100, firstWaitSeconds: 10 }
  expect([49, 50, 51, 99].map((count) => getWaitSeconds({ count, age: 0 }, accounts))).toEqual([
    0, 10, 20, 600,
  ])
})

it('is 0 without reverts, and without a limit', () => {
  expect(getWaitSeconds(undefined, rule)).toBe(0)
  expect(getWaitSeconds({ count: 3, age: 0 }, { ...rule, limit: 0 })).toBe(0)
})
