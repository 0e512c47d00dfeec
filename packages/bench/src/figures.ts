// What sections measure, as data: the printed table and results.json use the same figures.
import { median, percentile } from './statistics.ts'

/** The units of figures. `×` and `%` compare with something that was measured beside it. */
export type Unit = 'ms' | 'µs' | 'per second' | 'count' | '×' | '%'

const DIGITS: Readonly<Record<Unit, number>> = { ms: 1, µs: 1, 'per second': 0, count: 0, '×': 2, '%': 1 }
/** With fewer repetitions, quartiles mean nothing, so that the spread is the whole range. */
const MIN_REPETITIONS_FOR_QUARTILES = 20

/** One measured value. */
export interface Figure {
  readonly value: number
  /**
   * The lowest and the highest repetition; from 20 repetitions on, the quartiles. Omitted when there is one
   * repetition.
   */
  readonly spread?: readonly [low: number, high: number]
}

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly unit: Unit
  /** The values are differences, so positive ones have a sign. */
  readonly isDifference?: boolean
}

/** One row of a table: a name, and its figures in the columns' order; null for a missing one. */
export interface Row {
  readonly name: string
  readonly figures: readonly (Figure | null)[]
}

/** Creates a figure without a spread. Null for a value that is not finite, such as the ratio to zero. */
export function toFigure(value: number): Figure | null {
  return Number.isFinite(value) ? { value } : null
}

/**
 * Creates the figure of repetitions: their median with their spread.
 *
 * @throws RangeError for a repetition that is not finite, because results.json could not store it.
 */
export function summarize(repetitions: readonly number[]): Figure {
  if (!repetitions.every(Number.isFinite)) throw new RangeError('A repetition is not a finite number')
  const value = median(repetitions)
  if (repetitions.length < 2) return { value }
  const [low, high] = repetitions.length < MIN_REPETITIONS_FOR_QUARTILES ? [0, 1] : [0.25, 0.75]
  return { value, spread: [percentile(repetitions, low), percentile(repetitions, high)] }
}

/** Formats a value without its unit. Small values keep three significant digits. */
export function formatValue(value: number, { unit, isDifference = false }: Omit<Column, 'name'>): string {
  const digits = DIGITS[unit]
  const isSmall = value !== 0 && Math.abs(value) < 0.5 * 10 ** (1 - digits)
  const text = Math.abs(value).toLocaleString('en', {
    ...(isSmall && unit !== 'count'
      ? { maximumSignificantDigits: 3 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  })
  if (value < 0) return `−${text}`
  return isDifference ? `+${text}` : text
}

/** Formats a spread without its unit: `11.0 to 14.2`. */
export function formatSpread([low, high]: readonly [number, number], column: Omit<Column, 'name'>): string {
  return `${formatValue(low, column)} to ${formatValue(high, column)}`
}

/** Formats the name of a column with its unit: `median, ms`. */
export function formatColumn({ name, unit }: Column): string {
  return unit === 'count' ? name : `${name}, ${unit}`
}
