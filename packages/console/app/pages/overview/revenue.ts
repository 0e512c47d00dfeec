import type { DailyTotals } from '@mintmark/admin'
import { toApproximateNumber } from '../../format/amount.ts'
import { formatPayToken } from '../../format/pay-token.ts'

/** What was paid in one token. */
interface ChartedRevenue {
  readonly token: string
  readonly decimals: number
  /** The sum of the period, in base units. */
  readonly total: string
  /** The sum of each day in whole tokens, rounded for a chart. */
  readonly values: readonly number[]
}

/** The most tokens that have a chart. */
const MAX_TOKENS = 4

/** Prepares what was paid for charts: one for each token, those with the most orders first. */
export function listChartedRevenue({ revenue }: Pick<DailyTotals, 'revenue'>): readonly ChartedRevenue[] {
  return revenue
    .slice(0, MAX_TOKENS)
    .map(({ chainId, payTokenAddress, payTokenDecimals: decimals, total, amounts }) => ({
      token: formatPayToken(chainId, payTokenAddress),
      decimals,
      total,
      values: amounts.map((baseUnits) => toApproximateNumber({ baseUnits, decimals })),
    }))
}
