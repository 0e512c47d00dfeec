import { Amount, Integer, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { REPORT_TOO_LARGE } from './rules.ts'

/** Whether a day exists. There are none before the year 1000. */
const isDay = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`)
  // The 31st of a shorter month is read as a day of the next one.
  return /^[12]/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const Day: Schema<string> = v.pipe(
  v.string(),
  v.isoDate('Expected a day such as 2026-11-30'),
  v.check(isDay, 'Expected a day that exists'),
)

const period = {
  /** The first day, such as `2026-11-01`. */
  from: Day,
  /** The last day, such as `2026-11-30`: at most 366 days with the first one. */
  to: Day,
  /**
   * The IANA time zone in which days begin, such as `Europe/Berlin`. Default: that of the server's stores.
   */
  timeZone: v.optional(Text),
}

const salesRow = record({
  /**
   * What the row adds up: a day such as `2026-11-30`, a month such as `2026-11`, or an item by its chain, contract and
   * token: `84532/0x5fbd…/7`.
   */
  group: v.string(),
  /** The name of the item; `''` for days and months. */
  name: v.string(),
  /** The id of the pay token's chain. */
  chainId: v.string(),
  /** The address of the pay token; `''` for the native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token: whole tokens are an amount divided by 10 to the power of them. */
  payTokenDecimals: Integer,
  /** How many orders are paid. */
  orders: Integer,
  /** How many tokens these orders sold. */
  quantity: Integer,
  /** The sum of the amounts of the orders, in base units. */
  paid: Amount,
  /**
   * What recorded refunds have returned of it until now, in base units. What an order was paid beyond its amount is no
   * sale, so that its return is no refund here.
   */
  refunded: Amount,
  /** `paid` without `refunded`, in base units. Begins with `-` if more was returned than paid. */
  kept: v.string(),
})
/** The paid orders of a day, a month or an item, in one token. */
export interface SalesRow extends v.InferOutput<typeof salesRow> {}
export const SalesRow: Schema<SalesRow> = salesRow

/**
 * Adds up the paid orders of a period with their refunds, by day, month or item: days and months in
 * order, items with the most orders first. An order belongs to the day on which
 * it was placed, and so do its refunds, whenever they were recorded. An order that waits for a decision does not
 * count. Amounts of different tokens are never added. `REPORT_TOO_LARGE` beyond 1,000 rows. InvalidInputError if
 * the time zone is unknown, or the period is longer than 366 days.
 *
 * @example
 * const rows = await reports.sales(gateway, { from: '2026-11-01', to: '2026-11-30', by: 'item' })
 * for (const { name, orders, paid, refunded } of rows) console.log(name, orders, paid, refunded)
 */
export const sales = gatewayOperation({
  id: 'reports.sales',
  method: 'GET',
  path: '/admin/v1/reports/sales',
  source: 'own',
  scope: 'orders:read',
  query: {
    ...period,
    /** What a row adds up: `day`, `month` or `item`. */
    by: v.picklist(['day', 'month', 'item']),
  },
  data: v.array(SalesRow),
  errors: [REPORT_TOO_LARGE],
})
export type SalesReportInput = InputOf<typeof sales>

const refusalCount = record({
  /** Why the scans were refused, as `reason` of a verification. */
  reason: v.string(),
  /** How many scans were refused for it. */
  count: Integer,
})
/** How many scans were refused for a reason. */
export interface RefusalCount extends v.InferOutput<typeof refusalCount> {}
export const RefusalCount: Schema<RefusalCount> = refusalCount

const redemptionsRow = record({
  /**
   * What the row adds up: a day such as `2026-11-30`; a month such as `2026-11`; a store as `#` and its id, or the name of the
   * scan if the project has no such store, or `''` if the scan names none; the id of a campaign, or `''` for other cards
   * and unknown codes; who made the calls, as `actor` of a verification.
   */
  group: v.string(),
  /** The name of the store or the campaign, or the `verifier` of the scans; `''` for days and months. */
  name: v.string(),
  /** How many scans were accepted, those that were undone included. */
  accepted: Integer,
  /** How many of the accepted scans have been undone until now. */
  undone: Integer,
  /** How many scans were refused, for each reason: the most frequent first. */
  refused: v.array(RefusalCount),
})
/** The scans of cards on a day, in a month or a store, of a campaign, or by a person. */
export interface RedemptionsRow extends v.InferOutput<typeof redemptionsRow> {}
export const RedemptionsRow: Schema<RedemptionsRow> = redemptionsRow

/**
 * Counts the scans of cards in a period, by day, month, store, campaign or person: days and months in
 * order, others with the most accepted scans first. A scan that was undone belongs to
 * the day on which it was accepted, whenever it was undone. `REPORT_TOO_LARGE` beyond 1,000 rows.
 * InvalidInputError if the time zone is unknown, or the period is longer than 366 days.
 *
 * @example
 * const rows = await reports.redemptions(gateway, { from: '2026-11-01', to: '2026-11-30', by: 'store' })
 * for (const { name, accepted, undone } of rows) console.log(name, accepted - undone)
 */
export const redemptions = gatewayOperation({
  id: 'reports.redemptions',
  method: 'GET',
  path: '/admin/v1/reports/redemptions',
  source: 'own',
  scope: 'orders:read',
  query: {
    ...period,
    /** What a row adds up: `day`, `month`, `store`, `campaign` or `person`. */
    by: v.picklist(['day', 'month', 'store', 'campaign', 'person']),
  },
  data: v.array(RedemptionsRow),
  errors: [REPORT_TOO_LARGE],
})
export type RedemptionsReportInput = InputOf<typeof redemptions>
