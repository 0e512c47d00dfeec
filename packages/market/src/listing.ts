import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import type { Coupon } from './coupon.ts'

/** None, or a coupon. */
type Maybe = Coupon | Record<string, never>

const listing = record({
  chainId: v.string(),
  /** The coupon that lowers the price; `{}` for none. */
  // Only that it is an object is checked: a union of the two would say no more than its fields do, and costs their weight.
  coupon: v.looseObject({}) as v.GenericSchema as Schema<Maybe>,
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  endTime: Timestamp,
  id: Integer,
  /** 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified. */
  marketType: v.number(),
  nftAddress: v.string(),
  nftId: v.string(),
  nftImg: v.string(),
  nftName: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: v.string(),
  /** The price of one, in base units of the pay token. */
  payPrice: Amount,
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
  projectId: Integer,
  /** How many were put on the shelf. */
  quantity: Integer,
  /** How many can be ordered now; open orders have theirs reserved. */
  remaining: Integer,
  /** The only wallets that may buy; empty for all. */
  reservedFor: v.array(v.string()),
  /** The seller's address. */
  seller: v.string(),
  /** How many are sold. */
  sold: Integer,
  startTime: Timestamp,
  /** `ON`, `SOLD`, `OFF`, `EXPIRED`, or `INACTIVE` while the seller's balance on the chain falls short. */
  status: v.string(),
  updateTime: Timestamp,
})
/** What a seller has put on the shelf. Addresses are in lower case. */
export interface Listing extends v.InferOutput<typeof listing> {}
export const Listing: Schema<Listing> = listing

const saleCollection = record({
  /** The contract whose tokens are sold. */
  contract: record({
    chainId: v.string(),
    id: Integer,
    imgUrl: v.string(),
    name: v.string(),
    nftAddress: v.string(),
    nftType: v.string(),
    owner: v.string(),
    symbol: v.string(),
  }),
  /** How many listings are on the shelf. */
  listed: Integer,
  /** The lowest price of one on the shelf, in base units of `payTokenAddress`. */
  floorPrice: Amount,
  /** What was paid for its tokens in sales of this kind, in base units of `payTokenAddress`. */
  volume: Amount,
  /** The token that most of its listings ask for, which the two amounts are in; `''` for the chain's native one. */
  payTokenAddress: v.string(),
})
/** A collection that has something on the shelf. */
export interface SaleCollection extends v.InferOutput<typeof saleCollection> {}
export const SaleCollection: Schema<SaleCollection> = saleCollection
