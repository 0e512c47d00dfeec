import { expect, it } from 'vitest'
import { formatValue, summarize, toFigure, type Unit } from './figures.ts'

it.each<[number, Unit, string]>([
  [1234.56, 'ms', '1,234.6'],
  [1.04, 'ms', '1.0'],
  [0.0123, 'ms', '0.0123'],
  [0, 'ms', '0.0'],
  [250.04, 'µs', '250.0'],
  [12_345.6, 'per second', '12,346'],
  [1_000_000, 'count', '1,000,000'],
  [4.567_89, '×', '4.57'],
  [-2.5, '%', '−2.5'],
])('formats %s in %s as %s', (value, unit, text) => {
  expect(formatValue(value, { unit })).toBe(text)
})

it('formats a difference with its sign', () => {
  expect(formatValue(3, { unit: 'ms', isDifference: true })).toBe('+3.0')
  expect(formatValue(-3, { unit: 'ms', isDifference: true })).toBe('−3.0')
})

it('summarizes a few repetitions by their median and range', () => {
  expect(summarize([5, 1, 3])).toEqual({ value: 3, spread: [1, 5] })
})

it('summarizes many repetitions by their median and quartiles', () => {
  const repetitions = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(summarize(repetitions)).toEqual({ value: 50.5, spread: [25, 75] })
})

it('gives a single repetition no spread', () => {
  expect(summarize([7])).toEqual({ value: 7 })
})

it.each([Number.NaN, Number.POSITIVE_INFINITY])('has no figure for %s, which JSON cannot store', (value) => {
  expect(toFigure(value)).toBeNull()
  expect(() => summarize([1, value])).toThrow(RangeError)
})
