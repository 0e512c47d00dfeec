import {
  Amount,
  Id,
  Integer,
  NotFoundError,
  OpenNftType,
  OpenPayTokenType,
  Positive,
  record,
  referenceField,
  referenceInput,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import {
  AUCTION_CLOSED,
  AUCTION_HAS_BIDS,
  BID_TOO_HIGH,
  BID_TOO_LOW,
  CHAIN_UNREADABLE,
  NOT_ENOUGH_OWNED,
} from './rules.ts'

/** The status of an auction. */
export type AuctionStatus = 'OPEN' | 'WON' | 'SOLD' | 'UNPAID' | 'UNSOLD' | 'INACTIVE' | 'CANCELLED'

// A newer server may return further values, so the type of the record is open.
const status: Schema<AuctionStatus | (string & {})> = v.string()

const bidRecord = record({
  /** The bid for the whole quantity, in base units of the auction's pay token. */
  amount: Amount,
  /** The auction's id. */
  auctionId: Integer,
  /** The bidder's address, in lower case. */
  bidder: v.string(),
  /** When the bid was placed. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The bid's id. */
  id: Integer,
  /** The project that the bid belongs to. */
  projectId: Integer,
})
/** An accepted bid. */
export interface Bid extends v.InferOutput<typeof bidRecord> {}
export const Bid: Schema<Bid> = bidRecord

const auction = record({
  /** The minimum increase over the previous bid, in basis points of that bid. */
  bidBufferBps: Integer,
  /** The number of accepted bids. */
  bidCount: Integer,
  /** At most 100 bids, newest first. */
  bids: v.array(Bid),
  /** The buyout price: a bid of this amount ends the auction immediately; `'0'` if there is no buyout. */
  buyoutBidAmount: Amount,
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When the auction was created. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** When the auction ends. A bid in the last `timeBufferInSeconds` extends it by that time. */
  endTime: Timestamp,
  /** The auction's id. */
  id: Integer,
  /** The minimum of the first bid. */
  minimumBidAmount: Amount,
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
  /** The number of the order that the winner must pay; `''` before the auction has a winner. */
  orderNo: v.string(),
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: OpenPayTokenType,
  /** The project that the auction belongs to. */
  projectId: Integer,
  /** The number of units, which are sold together. */
  quantity: Integer,
  ...referenceField,
  /** Whether the highest bid reaches the reserve price, which is not public. */
  reserveMet: v.boolean(),
  /** The seller's address, in lower case. */
  seller: v.string(),
  /** When bidding starts. */
  startTime: Timestamp,
  /**
   * `OPEN`; `WON`: the winner's order waits for its payment; `SOLD`: the order was paid; `UNPAID`: the order
   * was not paid; `UNSOLD`: no bid reached the reserve price; `INACTIVE`: the seller's balance on the chain
   * is currently too low; `CANCELLED`: by the seller, or because that balance stayed too low.
   */
  status,
  /** A bid in the last `timeBufferInSeconds` extends the auction by that time. */
  timeBufferInSeconds: Integer,
  /** The highest bid; `'0'` without a bid. */
  topBid: Amount,
  /** The highest bidder's address; `''` without a bid. */
  topBidder: v.string(),
  /** When the auction was last changed. */
  updateTime: Timestamp,
})
/** An English auction. Amounts are for the whole quantity, in base units of the pay token. */
export interface Auction extends v.InferOutput<typeof auction> {}
export const Auction: Schema<Auction> = auction

const auctionId = {
  /** The auction's id. */
  id: Id,
}

/**
 * Creates an auction of units of a token and reserves them. Amounts are in base units of the pay token.
 * NotFoundError if the contract is not registered. `NOT_ENOUGH_OWNED` if the seller has fewer available
 * units.
 *
 * @example
 * const auction = await auctions.create(gateway, {
 *   seller: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   minimumBidAmount: '1000000000000000',
 *   startTime: '2026-01-15T10:00:00Z',
 *   endTime: '2026-01-16T10:00:00Z',
 * })
 */
export const create = gatewayOperation({
  id: 'auctions.create',
  method: 'POST',
  path: '/api/v1/market/auction/create',
  source: 'added',
  scope: 'market:write',
  body: {
    /** The owner's address. */
    seller: Text,
    /** The contract's address; case does not matter. It must be registered. */
    nftAddress: Text,
    /** The token's id in its contract. */
    nftId: Text,
    /** The number of units, which are sold together. */
    quantity: Positive,
    /** The minimum of the first bid; not 0. */
    minimumBidAmount: Amount,
    /** The buyout price: a bid of this amount ends the auction immediately. Default: 0, no buyout. */
    buyoutBidAmount: v.optional(Amount),
    /** The reserve price: the minimum of the highest bid for a sale. No response contains it. Default: 0. */
    reservePrice: v.optional(Amount),
    /** An ERC-20's address, or `''` for the chain's native token. Default: `''`. */
    payTokenAddress: v.optional(v.string()),
    /** When bidding starts: ISO 8601 with a time zone, such as `2026-01-01T00:00:00Z`. */
    startTime: Timestamp,
    /** When bidding ends: ISO 8601 with a time zone. A late bid can extend it. */
    endTime: Timestamp,
    /** The minimum increase over the previous bid, in basis points from 0 to 10000. Default: 500. */
    bidBufferBps: v.optional(Integer),
    /**
     * A bid in this number of last seconds extends the auction by the same time; 0 to 86400. Default: 900.
     */
    timeBufferInSeconds: v.optional(Integer),
    ...referenceInput,
  },
  data: Auction,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})
export type CreateAuctionInput = InputOf<typeof create>

/**
 * Cancels an auction without bids. Idempotent: repeating the call returns the same auction. NotFoundError if
 * it does not exist. `AUCTION_HAS_BIDS` once it has a bid.
 *
 * @example
 * await auctions.cancel(gateway, { id: auction.id })
 */
export const cancel = gatewayOperation({
  id: 'auctions.cancel',
  method: 'DELETE',
  path: '/api/v1/market/auction/{id}',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  params: auctionId,
  data: Auction,
  errors: [NotFoundError, AUCTION_HAS_BIDS, AUCTION_CLOSED],
})
export type CancelAuctionInput = InputOf<typeof cancel>

/**
 * Places a bid, in base units of the pay token. The highest bidder at the end must pay. A bid of the buyout
 * price ends the auction immediately. `BID_TOO_LOW` and `BID_TOO_HIGH` state the accepted amount.
 *
 * @example
 * const bidder = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
 * const bid = await auctions.bid(gateway, { auctionId: auction.id, bidder, amount: '1100000000000000' })
 */
export const bid = gatewayOperation({
  id: 'auctions.bid',
  method: 'POST',
  path: '/api/v1/market/auction/bid',
  source: 'name',
  scope: 'market:write',
  body: {
    /** The auction's id. */
    auctionId: Id,
    /** The bidder's address. If the bid wins, this wallet pays and receives the tokens. */
    bidder: Text,
    /** The bid for the whole quantity, in base units of the pay token. */
    amount: Amount,
  },
  data: Bid,
  errors: [NotFoundError, BID_TOO_LOW, BID_TOO_HIGH, AUCTION_CLOSED, CHAIN_UNREADABLE],
})
export type CreateBidInput = InputOf<typeof bid>

/**
 * Returns one auction in any status, with its newest 100 bids. NotFoundError if it does not exist.
 *
 * @example
 * const { status, topBid, endTime } = await auctions.get(gateway, { id: 7 })
 */
export const get = gatewayOperation({
  id: 'auctions.get',
  method: 'GET',
  path: '/api/v1/market/auction/info',
  source: 'name',
  scope: 'market:read',
  publishable: true,
  query: auctionId,
  data: Auction,
  errors: [NotFoundError],
})
export type GetAuctionInput = InputOf<typeof get>

const createdTokens = record({
  /**
   * The creator of the NFTs, or the owner of their contract if the creator is unknown; `''` if both are
   * unknown.
   */
  creator: v.string(),
  /** The number of different tokens of this creator that the wallet owns. */
  tokenCount: Integer,
  /** The first 15 of these tokens. `assets.list` returns all. */
  tokens: v.array(
    record({
      /** The chain as a decimal text, such as `84532`. */
      chainId: v.string(),
      /** URL of the image; `''` if not set. */
      imgUrl: v.string(),
      /** The token's name. */
      name: v.string(),
      /** The contract's address, in lower case. */
      nftAddress: v.string(),
      /** The token's id in its contract. */
      nftId: v.string(),
      /** `ERC721` or `ERC1155`. */
      nftType: OpenNftType,
      /** The number of units that the wallet owns, as a decimal text. */
      quantity: v.string(),
      /** The number of units that listings, auctions and offers reserve, as a decimal text. */
      reserved: v.string(),
    }),
  ),
})
/** The tokens of one creator that a wallet owns. */
export interface CreatedTokens extends v.InferOutput<typeof createdTokens> {}
export const CreatedTokens: Schema<CreatedTokens> = createdTokens

/**
 * Lists the tokens that a wallet owns, grouped by creator.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const { creator, tokens } of auctions.ownedTokens.items(gateway, { owner })) console.log(creator, tokens.length)
 */
export const ownedTokens = pagedGatewayOperation({
  id: 'auctions.ownedTokens',
  method: 'GET',
  path: '/api/v1/market/auction/ownedTokens',
  source: 'name',
  scope: 'market:read',
  query: {
    /** The owner's address. */
    owner: Text,
  },
  orders: ['creator'],
  item: CreatedTokens,
})
export type ListOwnedTokensInput = InputOf<typeof ownedTokens>
