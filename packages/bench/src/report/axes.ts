import { scaleLinear, scaleLog } from 'd3-scale'

/** The ratio of the largest to the smallest value from which a scale is logarithmic. */
const MIN_LOG_RATIO = 20
/** From this ratio on, only powers of ten have a tick. */
const MIN_DECADES_RATIO = 300
const TICKS = 5
/** The part of an axis that is left free at its ends, so that marks are not cut. */
const PADDING = 0.04

/** A scale from values to pixels, with its ticks. */
export interface Axis {
  readonly isLogarithmic: boolean
  toPixel(value: number): number
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

/** Formats `20K` instead of `20,000`, because phones have little space. */
const formatTick = (value: number) =>
  value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 })
const toTicks = (values: readonly number[]) => values.map((value) => ({ value, text: formatTick(value) }))

function createLogAxis(low: number, high: number, range: readonly [number, number]): Axis {
  const padding = (high / low) ** PADDING
  const scale = scaleLog([low / padding, high * padding], range)
  const mantissas = high / low >= MIN_DECADES_RATIO ? [1] : [1, 2, 5]
  const ticks = scale.ticks().filter((tick) => {
    const mantissa = tick / 10 ** Math.floor(Math.log10(tick) + 1e-9)
    return mantissas.includes(Math.round(mantissa))
  })
  return { isLogarithmic: true, toPixel: (value) => scale(value), ticks: toTicks(ticks) }
}

/**
 * Creates the axis of values: logarithmic if they span more than a decade, otherwise linear.
 *
 * @param isFromZero A linear axis begins at zero.
 */
export function createAxis(
  values: readonly number[],
  range: readonly [number, number],
  { isFromZero }: { readonly isFromZero: boolean },
): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (low > 0 && high / low >= MIN_LOG_RATIO) return createLogAxis(low, high, range)
  const start = isFromZero ? Math.min(0, low) : low
  const end = isFromZero ? Math.max(0, high) : high
  // All values are the same.
  const span = end - start || Math.abs(end) || 1
  const scale = scaleLinear([start - (start === 0 ? 0 : span * PADDING), end + span * PADDING], range)
  return { isLogarithmic: false, toPixel: (value) => scale(value), ticks: toTicks(scale.ticks(TICKS)) }
}
