import type { Order } from '@mintmark/orders'
import { sumAmounts, toApproximateNumber } from '../../format/amount.ts'
import { formatPayToken } from '../../format/pay-token.ts'
import type { Day } from '../../format/time.ts'
import { groupByDay } from './statistics.ts'

/** What was paid in one token. */
export interface TokenRevenue {
  readonly token: string
  readonly decimals: number
  /** The sum of the period, in base units. */
  readonly total: string
  /** The sum of each day in whole tokens, rounded for a chart. */
  readonly values: readonly number[]
}

/** The most tokens that have a chart. */
const MAX_TOKENS = 4

/** Adds up paid orders by token and day, the tokens with the most orders first. Amounts of different tokens are never added. */
export function sumRevenue(orders: readonly Order[], days: readonly Day[]): readonly TokenRevenue[] {
  const byToken = Map.groupBy(orders, ({ chainId, payTokenAddress }) => `${chainId} ${payTokenAddress}`)
  return [...byToken.values()]
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_TOKENS)
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const decimals = first.payTokenDecimals
      const sum = (part: readonly Order[]) => sumAmounts(part.map(({ payAmount }) => payAmount))
      const values = groupByDay(group, days).map((part) =>
        toApproximateNumber({ baseUnits: sum(part), decimals }),
      )
      const token = formatPayToken(first.chainId, first.payTokenAddress)
      return [{ token, decimals, total: sum(group), values }]
    })
}
