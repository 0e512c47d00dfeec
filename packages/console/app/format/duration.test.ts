import { expect, it } from 'vitest'
import { formatDuration } from './time.ts'

it.each([
  [-5, '0 s'],
  [59_999, '59 s'],
  [61_000, '1 min 1 s'],
  [3_599_000, '59 min 59 s'],
  [93_784_000, '1 d 2 h'],
  [900_000, '15 min'],
  [7_200_000, '2 h'],
  [172_800_000, '2 d'],
])('formats %d milliseconds as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
