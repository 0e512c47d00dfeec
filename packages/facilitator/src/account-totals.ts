import { Amount, Integer, record, type Schema } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const assetTotal = record({
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: v.string(),
  /** The token's address. */
  asset: v.string(),
  /** How many payments in the asset settled. */
  settled: Integer,
  /** What they paid, in base units of the asset. */
  total: Amount,
  /** What they paid on each day, in base units of the asset. */
  amounts: v.array(Amount),
})
/** What an account was paid in one asset. */
export interface AssetTotal extends v.InferOutput<typeof assetTotal> {}
export const AssetTotal: Schema<AssetTotal> = assetTotal

const accountTotals = record({
  /**
   * The days in UTC, oldest first, such as `2026-03-31`. The last one is today. The other arrays have a value
   * for each of them. A payment counts on the day on which its settle was first requested.
   */
  days: v.array(v.string()),
  /** How many payments of each day settled. */
  settled: v.array(Integer),
  /** How many payments of each day failed. */
  failed: v.array(Integer),
  /** How many payments of each day have no outcome yet: `sent` or `unknown`. */
  unresolved: v.array(Integer),
  /** What the account was charged for the settles of each day, in wei of the native token. */
  charged: v.array(Amount),
  /**
   * What settled payments paid, for each asset: those with the most payments first, at most 100. Amounts of
   * different assets are never added.
   */
  assets: v.array(AssetTotal),
})
/** The business of an account on each day. */
export interface AccountTotals extends v.InferOutput<typeof accountTotals> {}
export const AccountTotals: Schema<AccountTotals> = accountTotals

/**
 * Returns how many payments of the account settled, failed and have no outcome yet, what they paid, and what
 * the account was charged, on each of the last days (UTC). It counts what `micropaymentOrders.list` lists, so
 * it takes longer for accounts with many orders.
 *
 * @example
 * const { days, settled, assets } = await accountTotals.get(facilitator, { days: 7 })
 * console.log(`${settled.at(-1)} payments settled today, ${days.at(-1)}`)
 * for (const { network, asset, total } of assets) console.log(network, asset, total)
 */
export const get = facilitatorOperation({
  id: 'accountTotals.get',
  method: 'GET',
  path: '/account-totals',
  source: 'own',
  scope: 'orders:read',
  query: {
    /** How many days, with today as the last one: 1 to 366. Default: 30. */
    days: v.optional(Integer),
  },
  data: AccountTotals,
})
export type GetAccountTotalsInput = InputOf<typeof get>
