import { expect, it } from 'vitest'
import { findChartTop } from './chart-range.ts'

it('shows amounts below 1 in the whole chart, and counts with at least one step', () => {
  expect(findChartTop(0.002, false)).toBeCloseTo(0.0022)
  expect(findChartTop(0, false)).toBe(1)
  expect(findChartTop(0, true)).toBe(1)
  expect(findChartTop(20, true)).toBeCloseTo(22)
})
