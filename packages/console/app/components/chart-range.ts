/** The space above the highest value. */
const HEADROOM = 1.1

/**
 * Finds the upper end of a chart's axis. Counts have at least one step; amounts, such as 0.002 ETH, fill the
 * chart.
 */
export function findChartTop(highest: number, isWhole: boolean): number {
  if (highest <= 0) return 1
  return isWhole ? Math.max(1, highest * HEADROOM) : highest * HEADROOM
}
