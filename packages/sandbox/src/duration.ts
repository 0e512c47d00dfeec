const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/**
 * Parses a duration such as `3d` or `90s` to milliseconds. Numbers are milliseconds.
 *
 * @throws RangeError when it is not a duration, or negative.
 */
export function parseDuration(duration: number | string): number {
  const milliseconds = typeof duration === 'number' ? duration : parseText(duration)
  if (milliseconds === undefined || !Number.isFinite(milliseconds) || milliseconds < 0) {
    throw new RangeError(
      `${duration} is not a duration. Pass milliseconds, or a number with ms, s, m, h, d or w`,
    )
  }
  return milliseconds
}

function parseText(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)$/.exec(text) ?? []
  const factor = UNITS[unit]
  return factor === undefined ? undefined : Number(digits) * factor
}
