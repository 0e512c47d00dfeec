import type { DailyTotals } from '@mintmark/admin'
import { toApproximateNumber } from '../../format/amount.ts'
import { formatPayToken, formatTokenWithChain } from '../../format/pay-token.ts'

/** What was paid in one token. */
interface ChartedRevenue {
  /** Its name, with its chain if the charts have a token of the same name on another one. */
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
  const charted = revenue.slice(0, MAX_TOKENS)
  return charted.map(({ chainId, payTokenAddress, payTokenDecimals: decimals, total, amounts }) => {
    const name = formatPayToken(chainId, payTokenAddress)
    const isElsewhere = charted.some(
      (other) => other.chainId !== chainId && formatPayToken(other.chainId, other.payTokenAddress) === name,
    )
    return {
      token: isElsewhere ? formatTokenWithChain(chainId, payTokenAddress) : name,
      decimals,
      total,
      values: amounts.map((baseUnits) => toApproximateNumber({ baseUnits, decimals })),
    }
  })
}
