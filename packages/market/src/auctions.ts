import {
  Amount,
  Id,
  Integer,
  NotFoundError,
  Positive,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import {
  AUCTION_CLOSED,
  AUCTION_HAS_BIDS,
  BID_TOO_HIGH,
  BID_TOO_LOW,
  CHAIN_UNREADABLE,
  NOT_ENOUGH_OWNED,
} from './rules.ts'

const bidRecord = record({
  /** For all that is sold, in base units of the auction's pay token. */
  amount: Amount,
  /** The auction. */
  auctionId: Integer,
  /** The bidder's address, in lower case. */
  bidder: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Its id. */
  id: Integer,
  /** The project that it belongs to. */
  projectId: Integer,
})
/** A bid that was accepted. */
export interface Bid extends v.InferOutput<typeof bidRecord> {}
export const Bid: Schema<Bid> = bidRecord

const auction = record({
  /** How far a bid must be above the one before, in basis points of that. */
  bidBufferBps: Integer,
  /** How many bids were accepted. */
  bidCount: Integer,
  /** The newest bids first; at most 100. */
  bids: v.array(Bid),
  /** The bid that ends the auction at once; `'0'` for none. */
  buyoutBidAmount: Amount,
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** A bid in the last `timeBufferInSeconds` moves it on by so much. */
  endTime: Timestamp,
  /** Its id. */
  id: Integer,
  /** What the first bid must reach. */
  minimumBidAmount: Amount,
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
  /** The order that the winner has to pay; `''` while there is none. */
  orderNo: v.string(),
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** How many are sold, in one piece. */
  quantity: Integer,
  /** Whether the top bid is one that the seller sells at; how much that is, is not told. */
  reserveMet: v.boolean(),
  /** The seller's address, in lower case. */
  seller: v.string(),
  /** From when bids are taken. */
  startTime: Timestamp,
  /**
   * `OPEN`; `WON`: the winner's order waits for its payment; `SOLD`: it was paid; `UNPAID`: it was not; `UNSOLD`: ended without a bid that
   * reached the reserve; `INACTIVE` while the seller's balance on the chain falls short; `CANCELLED` by its seller, or because that
   * balance stays too low.
   */
  status: v.string(),
  /** A bid in so many last seconds moves the end on by as many. */
  timeBufferInSeconds: Integer,
  /** The highest bid; `'0'` for none. */
  topBid: Amount,
  /** Who made it; `''` for none. */
  topBidder: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** An English auction. Amounts are for all that is sold, in base units of the pay token. */
export interface Auction extends v.InferOutput<typeof auction> {}
export const Auction: Schema<Auction> = auction

const auctionId = {
  /** The auction's id. */
  id: Id,
}

/** Puts so many of a token up for auction, which its owner can then not promise to anybody else. */
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
    /** How many are sold, in one piece. */
    quantity: Positive,
    /** What the first bid must reach; not 0. */
    minimumBidAmount: Amount,
    /** A bid of so much ends the auction at once; none or 0: no bid does. */
    buyoutBidAmount: v.optional(Amount),
    /** What the top bid must reach for a sale; no answer tells it. Default 0. */
    reservePrice: v.optional(Amount),
    /** An ERC-20's address; none or `''` for the chain's native token. */
    payTokenAddress: v.optional(v.string()),
    /** From when bids are taken. */
    startTime: Timestamp,
    /** Until when bids are taken; a late bid may move it on. */
    endTime: Timestamp,
    /** How far a bid must be above the one before, in basis points from 0 to 10000; default 500. */
    bidBufferBps: v.optional(Integer),
    /** A bid in so many last seconds moves the end on by as many, 0 to 86400; default 900. */
    timeBufferInSeconds: v.optional(Integer),
  },
  data: Auction,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, CHAIN_UNREADABLE],
})

/** Ends an auction that nobody has bid in. Again is the same answer. */
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

/** Create bid: binds the bidder to pay, should nobody bid more. A bid of the buyout amount ends the auction. */
export const bid = gatewayOperation({
  id: 'auctions.bid',
  method: 'POST',
  path: '/api/v1/market/auction/bid',
  source: 'name',
  scope: 'market:write',
  body: {
    /** The auction's id. */
    auctionId: Id,
    /** The bidder's address: who pays, and who gets what is sold. */
    bidder: Text,
    /** For all that is sold, in base units of the pay token. */
    amount: Amount,
  },
  data: Bid,
  errors: [NotFoundError, BID_TOO_LOW, BID_TOO_HIGH, AUCTION_CLOSED, CHAIN_UNREADABLE],
})

/** Get auction info: one auction with its bids, whatever became of it. */
export const get = gatewayOperation({
  id: 'auctions.get',
  method: 'GET',
  path: '/api/v1/market/auction/info',
  source: 'name',
  scope: 'market:read',
  query: auctionId,
  data: Auction,
  errors: [NotFoundError],
})

const createdTokens = record({
  /** Who made the tokens: the creator of their NFTs, or else their contract's owner; `''` where neither is known. */
  creator: v.string(),
  /** How many different tokens of the creator's the wallet owns. */
  tokenCount: Integer,
  /** The first 15 of them; `assets.list` has all. */
  tokens: v.array(
    record({
      /** The chain as a decimal text, such as `84532`. */
      chainId: v.string(),
      /** How many of them are promised to listings, auctions and offers: a decimal text. */
      held: v.string(),
      /** URL of its picture; `''` for none. */
      imgUrl: v.string(),
      /** Its name. */
      name: v.string(),
      /** The contract's address, in lower case. */
      nftAddress: v.string(),
      /** The token's id in its contract. */
      nftId: v.string(),
      /** `ERC721` or `ERC1155`. */
      nftType: v.string(),
      /** How many the wallet owns: a decimal text. */
      quantity: v.string(),
    }),
  ),
})
/** What a wallet owns of one creator's tokens. */
export interface CreatedTokens extends v.InferOutput<typeof createdTokens> {}
export const CreatedTokens: Schema<CreatedTokens> = createdTokens

/** List of tokens I own, sorted by creator: what a wallet can put up for auction. */
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
  item: CreatedTokens,
})
