import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import type { Coupon } from './coupon.ts'

/** None, or a coupon. */
type Maybe = Coupon | Record<string, never>

const listing = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The coupon that lowers the price; `{}` for none. */
  // Only that it is an object is checked: a union of the two would say no more than its fields do, and costs their weight.
  coupon: v.looseObject({}) as v.GenericSchema as Schema<Maybe>,
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Until when it can be ordered. */
  endTime: Timestamp,
  /** The listing's id. */
  id: Integer,
  /** 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified. */
  marketType: v.number(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** URL of the token's picture; `''` for none. */
  nftImg: v.string(),
  /** The token's name. */
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
  /** The project that it belongs to. */
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
  /** From when it can be ordered. */
  startTime: Timestamp,
  /** `ON`, `SOLD`, `OFF`, `EXPIRED`, or `INACTIVE` while the seller's balance on the chain falls short. */
  status: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** What a seller has put on the shelf. Addresses are in lower case. */
export interface Listing extends v.InferOutput<typeof listing> {}
export const Listing: Schema<Listing> = listing

const saleCollection = record({
  /** The contract whose tokens are sold. */
  contract: record({
    /** The chain as a decimal text, such as `84532`. */
    chainId: v.string(),
    /** The contract's id. */
    id: Integer,
    /** URL of its picture; `''` for none. */
    imgUrl: v.string(),
    /** Its name. */
    name: v.string(),
    /** The contract's address, in lower case. */
    nftAddress: v.string(),
    /** `ERC721` or `ERC1155`. */
    nftType: v.string(),
    /** The contract's owner, in lower case. */
    owner: v.string(),
    /** The contract's symbol, such as `PRINT`; `''` for none. */
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
