import type { DailyTotals } from '@mintmark/admin'
import { toApproximateNumber } from '../../format/amount.ts'
import { formatPayToken, formatTokenWithChain } from '../../format/pay-token.ts'
import { ofPeriod, ofPeriodBefore, sum } from './project-totals.ts'

/** What was paid in one token. */
export interface ChartedRevenue {
  /** Its name, with its chain if the charts have a token of the same name on another one. */
  readonly token: string
  readonly decimals: number
  /** The sum of the period, in base units. */
  readonly total: string
  /** The sum of each day of the period in whole tokens, rounded for a chart. */
  readonly values: readonly number[]
  /** The sum of the period before in whole tokens, rounded. */
  readonly before: number
}

/** The most tokens that have a chart. */
const MAX_TOKENS = 4

/** Prepares what was paid for charts: one for each token, those with the most orders first. */
export function listChartedRevenue({ revenue }: Pick<DailyTotals, 'revenue'>): readonly ChartedRevenue[] {
  const charted = revenue.slice(0, MAX_TOKENS)
  return charted.map(({ chainId, payTokenAddress, payTokenDecimals: decimals, amounts }) => {
    const name = formatPayToken(chainId, payTokenAddress)
    const isElsewhere = charted.some(
      (other) => other.chainId !== chainId && formatPayToken(other.chainId, other.payTokenAddress) === name,
    )
    const toNumber = (baseUnits: string) => toApproximateNumber({ baseUnits, decimals })
    return {
      token: isElsewhere ? formatTokenWithChain(chainId, payTokenAddress) : name,
      decimals,
      total: String(ofPeriod(amounts).reduce((total, amount) => total + BigInt(amount), 0n)),
      values: ofPeriod(amounts).map(toNumber),
      before: sum(ofPeriodBefore(amounts).map(toNumber)),
    }
  })
}
