/** The value that `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)]
  if (value === undefined) throw new RangeError('No values were measured')
  return value
}

/** The middle of the values. The mean of both, if there are two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[Math.ceil(sorted.length / 2) - 1]
  const high = sorted[Math.floor(sorted.length / 2)]
  if (low === undefined || high === undefined) throw new RangeError('No values were measured')
  return (low + high) / 2
}

/** Measures work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Runs `work` in concurrent lanes, with the number of each lane from 0. */
export async function runLanes(lanes: number, work: (lane: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))
}

export const formatMs = (value: number) => `${value.toFixed(1)} ms`

/** `+1.2` or `−1.2`. */
export function formatDifference(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`
}
