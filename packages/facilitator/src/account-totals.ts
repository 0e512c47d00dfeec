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
  /** How many payments in the asset have no outcome yet. */
  unresolved: Integer,
  /** What these would pay, in base units of the asset. */
  unresolvedTotal: Amount,
  /** What settled refunds gave back, in base units of the asset. It is not subtracted from `total`. */
  refunded: Amount,
  /** What settled payments paid on each day, in base units of the asset. */
  amounts: v.array(Amount),
})
/** What an account was paid in one asset. */
export interface AssetTotal extends v.InferOutput<typeof assetTotal> {}
export const AssetTotal: Schema<AssetTotal> = assetTotal

const resourceTotal = record({
  /**
   * What was paid for: the URL without its query, with the path of the route's template if the seller declares
   * one. Payers can name any. `''`: they name none. `*`: all other resources together.
   */
  resource: v.string(),
  /** How many payments for it settled. */
  settled: Integer,
  /** What they paid, in base units of the asset. */
  total: Amount,
  /** The CAIP-2 id of the chain. */
  network: v.string(),
  /** The token's address. */
  asset: v.string(),
})
/** What an account was paid for one resource, in one asset. */
export interface ResourceTotal extends v.InferOutput<typeof resourceTotal> {}
export const ResourceTotal: Schema<ResourceTotal> = resourceTotal

const networkTotal = record({
  /** The CAIP-2 id of the chain. */
  network: v.string(),
  /** How many payments on the chain settled. */
  settled: Integer,
  /** How many failed. */
  failed: Integer,
  /** How many have no outcome yet. */
  unresolved: Integer,
  /** What the account was charged for them, in wei of the native token. */
  charged: Amount,
})
/** The business of an account on one chain. */
export interface NetworkTotal extends v.InferOutput<typeof networkTotal> {}
export const NetworkTotal: Schema<NetworkTotal> = networkTotal

const accountTotals = record({
  /** The account's wallet, in lower case. Its deposits credit the account. */
  payer: v.string(),
  /** What the account can spend, in wei of the native token. */
  balance: Amount,
  /** What the active quota still allows to be charged, in wei. Absent without one: nothing can be settled. */
  quotaRemaining: v.optional(Amount),
  /** What a settle costs, in wei. */
  settlePrice: Amount,
  /** How many settles the balance and the quota pay for. 0 while the account is frozen. */
  settlesLeft: Integer,
  /** Whether the account is frozen, so that nothing can be settled. */
  isFrozen: v.boolean(),
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
   * What settled payments paid, and unresolved ones would, for each asset: those with the most payments first,
   * at most 100. Amounts of different assets are never added.
   */
  assets: v.array(AssetTotal),
  /**
   * What settled payments paid for each resource: in each of the `assets`, the 20 with the largest amounts first,
   * then the sum of all others.
   */
  resources: v.array(ResourceTotal),
  /** The payments of each chain: those with the most first. */
  networks: v.array(NetworkTotal),
})
/** The balance of an account, and its business of the last days. */
export interface AccountTotals extends v.InferOutput<typeof accountTotals> {}
export const AccountTotals: Schema<AccountTotals> = accountTotals

/**
 * Returns what the account can spend, and its business of the last days (UTC): how many payments settled, failed
 * and have no outcome yet, what they paid, for which resources and on which chains, and what the account was
 * charged.
 *
 * @example
 * const { settlesLeft, days, settled, assets, resources } = await accountTotals.get(facilitator, { days: 7 })
 * console.log(`${settled.at(-1)} payments settled today, ${days.at(-1)}. ${settlesLeft} settles left`)
 * for (const { network, asset, total } of assets) console.log(network, asset, total)
 * for (const { resource, total } of resources) console.log(resource, total)
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
