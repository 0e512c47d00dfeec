import { expect, it } from 'vitest'
import { formatChange } from './number.ts'

it.each([
  [12, 10, '+20%'],
  [3, 4, '−25%'],
  [5, 5, 'no change'],
  [0, 5, '−100%'],
  [7, 0, ''],
  [0, 0, ''],
])('a figure of %i after %i has the change %j', (now, before, change) => {
  expect(formatChange(now, before)).toBe(change)
})
