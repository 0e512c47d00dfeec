const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * Formats how long something lasts by its two largest units, or by one if the other is zero. A duration below
 * 0 counts as 0.
 *
 * @example formatDuration(93_784_000) // '1 d 2 h'
 */
export function formatDuration(milliseconds: number): string {
  const rest = Math.max(0, milliseconds)
  const days = Math.floor(rest / DAY_MS)
  const hours = Math.floor((rest % DAY_MS) / HOUR_MS)
  const minutes = Math.floor((rest % HOUR_MS) / MINUTE_MS)
  const seconds = Math.floor((rest % MINUTE_MS) / SECOND_MS)
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  if (minutes > 0) return seconds > 0 ? `${minutes} min ${seconds} s` : `${minutes} min`
  return `${seconds} s`
}
