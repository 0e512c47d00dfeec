import {
  Amount,
  Integer,
  OpenNftType,
  OpenPayTokenType,
  record,
  referenceField,
  type Schema,
  Timestamp,
} from '@mintmark/envelope'
import * as v from 'valibot'
import type { Coupon } from './coupon.ts'

/** The status of a listing. `INACTIVE`: the seller's balance on the chain is currently too low. */
export type ListingStatus = 'ON' | 'SOLD' | 'OFF' | 'EXPIRED' | 'INACTIVE'

/** A coupon, or an empty object for a listing without one. */
type OptionalCoupon = Coupon | Record<string, never>

// A newer server may return further values, so the type of the record is open.
const status: Schema<ListingStatus | (string & {})> = v.string()

const listing = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The coupon that lowers the price; `{}` if the listing has no coupon. */
  // The client checks only that it is an object. Checking the coupon's fields would add them to every bundle
  // with a listing.
  coupon: v.looseObject({}) as v.GenericSchema as Schema<OptionalCoupon>,
  /** When the listing was created. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** When the listing expires. */
  endTime: Timestamp,
  /** The listing's id. */
  id: Integer,
  /** 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified. */
  marketType: v.number(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** URL of the token's image; `''` if not set. */
  nftImg: v.string(),
  /** The token's name. */
  nftName: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: OpenNftType,
  /** The price of one unit, in base units of the pay token. */
  payPrice: Amount,
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: OpenPayTokenType,
  /** The project that the listing belongs to. */
  projectId: Integer,
  /** The number of listed units. */
  quantity: Integer,
  ...referenceField,
  /** The number of units that can be ordered now, which excludes those that open orders reserve. */
  remaining: Integer,
  /** The wallets that can buy; empty if all wallets can. */
  reservedFor: v.array(v.string()),
  /** The seller's address. */
  seller: v.string(),
  /** The number of sold units. */
  sold: Integer,
  /** When the listing opens. */
  startTime: Timestamp,
  /** `ON`, `SOLD`, `OFF`, `EXPIRED`, or `INACTIVE` while the seller's balance on the chain is too low. */
  status,
  /** When the listing was last changed. */
  updateTime: Timestamp,
})
/** Units of a token that a seller offers at a price. Addresses are in lower case. */
export interface Listing extends v.InferOutput<typeof listing> {}
export const Listing: Schema<Listing> = listing

const saleCollection = record({
  /** The contract whose tokens are sold. */
  contract: record({
    /** The chain as a decimal text, such as `84532`. */
    chainId: v.string(),
    /** The contract's id. */
    id: Integer,
    /** URL of the image; `''` if not set. */
    imgUrl: v.string(),
    /** The contract's name. */
    name: v.string(),
    /** The contract's address, in lower case. */
    nftAddress: v.string(),
    /** `ERC721` or `ERC1155`. */
    nftType: OpenNftType,
    /** The contract's owner, in lower case. */
    owner: v.string(),
    /** The contract's symbol, such as `PRINT`; `''` if not set. */
    symbol: v.string(),
  }),
  /** The number of open listings. */
  listed: Integer,
  /** The lowest price of one unit in open listings, in base units of `payTokenAddress`. */
  floorPrice: Amount,
  /** The total paid for the collection's tokens in sales of this kind, in base units of `payTokenAddress`. */
  volume: Amount,
  /**
   * The pay token of most of the listings, which is the currency of both amounts; `''` for the chain's native
   * token.
   */
  payTokenAddress: v.string(),
})
/** A collection with open listings. */
export interface SaleCollection extends v.InferOutput<typeof saleCollection> {}
export const SaleCollection: Schema<SaleCollection> = saleCollection
