import { Amount, Integer, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const tokenRevenue = record({
  /** The id of the pay token's chain. */
  chainId: v.string(),
  /** The address of the pay token; `''` for the native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token: whole tokens are an amount divided by 10 to the power of them. */
  payTokenDecimals: Integer,
  /** How many orders were paid in the token. */
  orders: Integer,
  /** What was paid in the token, in base units. */
  total: Amount,
  /** What was paid in the token on each day, in base units. */
  amounts: v.array(Amount),
})
/** What was paid in one token. */
export interface TokenRevenue extends v.InferOutput<typeof tokenRevenue> {}

const dailyTotals = record({
  /**
   * The days, oldest first, such as `2026-03-31`. The last one is today. The other arrays have a value for
   * each of them.
   */
  days: v.array(v.string()),
  /** How many orders were placed on each day. */
  ordersPlaced: v.array(Integer),
  /**
   * How many orders were paid on each day, whenever they were placed. An order whose payment a reorganization
   * removed does not count. If an operator resolves it as successful, it counts on the day of the decision.
   */
  ordersPaid: v.array(Integer),
  /** How many scans of cards were accepted on each day. */
  scansAccepted: v.array(Integer),
  /** How many scans of cards were refused on each day. */
  scansRefused: v.array(Integer),
  /**
   * What was paid, for each token: those with the most orders first, at most 100. Amounts of different tokens
   * are never added.
   */
  revenue: v.array(tokenRevenue),
})
/** How much happened in a project on each day. */
export interface DailyTotals extends v.InferOutput<typeof dailyTotals> {}
export const DailyTotals: Schema<DailyTotals> = dailyTotals

/**
 * Returns how many orders were placed and paid, what was paid, and how many cards were scanned on each of the
 * last days. It takes the same time in projects of any size. The totals contain a change as soon as the feed
 * of events has it. InvalidInputError if the time zone is unknown.
 *
 * @example
 * const { days, ordersPaid } = await dailyTotals.get(gateway, { days: 7, timeZone: 'Europe/Berlin' })
 * console.log(`${ordersPaid.at(-1)} orders were paid today, ${days.at(-1)}`)
 */
export const get = gatewayOperation({
  id: 'dailyTotals.get',
  method: 'GET',
  path: '/admin/v1/dailyTotals',
  source: 'own',
  scope: 'orders:read',
  query: {
    /** How many days, with today as the last one: 1 to 366. Default: 30. */
    days: v.optional(Integer),
    /**
     * The IANA time zone in which days begin, such as `Europe/Berlin`. Default: that of the server's stores.
     */
    timeZone: v.optional(Text),
  },
  data: DailyTotals,
})
export type GetDailyTotalsInput = InputOf<typeof get>
