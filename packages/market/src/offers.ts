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
  CHAIN_UNREADABLE,
  NOT_ENOUGH_OWNED,
  OFFER_CLOSED,
  OFFER_FOR_OTHERS,
  OFFER_NOT_YOURS,
} from './rules.ts'

const offer = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Until when it can be accepted. */
  expireTime: Timestamp,
  /** Its id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** `''`: any token of the collection. */
  nftId: v.string(),
  /** The token's name; the contract's where the offer is for any token of it. */
  nftName: v.string(),
  /** Who would buy, in lower case. */
  offerer: v.string(),
  /** Its number, for people. */
  offerNo: v.string(),
  /** The order that the offerer has to pay once the offer is accepted; `''` before. */
  orderNo: v.string(),
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** How many it is for. */
  quantity: Integer,
  /** `ACTIVE`, `ACCEPTED`, `REJECTED`, `CANCELLED` or `EXPIRED`. */
  status: v.string(),
  /** For all of `quantity`, in base units of the pay token. */
  totalPrice: Amount,
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** What somebody would pay for a token, or for any of a collection. */
export interface Offer extends v.InferOutput<typeof offer> {}
export const Offer: Schema<Offer> = offer

const offerOfToken = record({
  /** The highest in this pay token. */
  offer: Offer,
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
})
/** The highest offer in one pay token. */
export interface OfferOfToken extends v.InferOutput<typeof offerOfToken> {}
export const OfferOfToken: Schema<OfferOfToken> = offerOfToken

const acceptedOrder = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** Until when its payment can be reported. */
  expireTime: Timestamp,
  /** Its id. */
  id: Integer,
  /** 7: of an offer. */
  marketType: v.number(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** The order's number, by which `orders.payOrder` pays it. */
  orderNo: v.string(),
  /** See `OrderStatus` of `@mintmark/orders`. */
  orderStatus: v.number(),
  /** What must be paid by `recipient` to `sender` in one transaction, in base units of the pay token. */
  payAmount: Amount,
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** How many are bought. */
  quantity: v.number(),
  /** The offerer's address. */
  recipient: v.string(),
  /** The owner's address. */
  sender: v.string(),
})
/** The order that came of an offer: an `Order` of `@mintmark/orders`, of which these fields are checked. */
export interface AcceptedOrder extends v.InferOutput<typeof acceptedOrder> {}
export const AcceptedOrder: Schema<AcceptedOrder> = acceptedOrder

const byToken = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** The token's id in its contract. */
  nftId: Text,
}

const offerId = {
  /** The offer's id. */
  id: Id,
}

const ofAddress = {
  /** The wallet's address; case does not matter. */
  address: Text,
  /** `ACTIVE`, `ACCEPTED`, `REJECTED`, `CANCELLED` or `EXPIRED`; without it all. */
  status: v.optional(v.picklist(['ACTIVE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED'])),
}

/** Create: offers so much for a token, or for any of a collection. Nothing is reserved of the offerer's. */
export const create = gatewayOperation({
  id: 'offers.create',
  method: 'POST',
  path: '/api/v1/market/offer/create',
  source: 'name',
  scope: 'market:write',
  body: {
    /** Who would buy, and pay. */
    offerer: Text,
    /** The contract's address; case does not matter. It must be registered. */
    nftAddress: Text,
    /** One token; none: any of the collection. */
    nftId: v.optional(Text),
    /** How many it is for. */
    quantity: Positive,
    /** For all of `quantity`, in base units of the pay token; not 0. */
    totalPrice: Amount,
    /** An ERC-20's address; none or `''` for the chain's native token. */
    payTokenAddress: v.optional(v.string()),
    /** Until when it can be accepted. */
    expireTime: Timestamp,
  },
  data: Offer,
  errors: [NotFoundError, CHAIN_UNREADABLE],
})

/** Offers for a specified NFT, those for any of its collection among them, that can be accepted now; newest first. */
export const forNft = pagedGatewayOperation({
  id: 'offers.forNft',
  method: 'GET',
  path: '/api/v1/market/offer/forNft',
  source: 'name',
  scope: 'market:read',
  query: byToken,
  item: Offer,
})

/**
 * Highest offers by NFT address: for each token, and for the collection as a whole, the highest in each pay token, by the price of one; of
 * those that are as high the earliest.
 */
export const highestByCollection = pagedGatewayOperation({
  id: 'offers.highestByCollection',
  method: 'GET',
  path: '/api/v1/market/offer/highest/nftAddress',
  source: 'name',
  scope: 'market:read',
  query: {
    /** The contract's address. */
    nftAddress: Text,
  },
  item: Offer,
})

/** Highest offers by owner: for each token that a wallet owns the highest offer of others in each pay token. */
export const highestByOwner = pagedGatewayOperation({
  id: 'offers.highestByOwner',
  method: 'GET',
  path: '/api/v1/market/offer/highest/owner',
  source: 'name',
  scope: 'market:read',
  query: {
    /** The owner's address. */
    owner: Text,
  },
  item: Offer,
})

/** Max offer by token type: the highest offer for an NFT in each pay token, those for any of its collection among them. */
export const maxByTokenType = gatewayOperation({
  id: 'offers.maxByTokenType',
  method: 'GET',
  path: '/api/v1/market/offer/maxByTokenType',
  source: 'name',
  scope: 'market:read',
  query: byToken,
  data: v.array(OfferOfToken),
})

/** Offers received: of others for what a wallet owns, and those that it has answered. */
export const received = pagedGatewayOperation({
  id: 'offers.received',
  method: 'GET',
  path: '/api/v1/market/offer/received',
  source: 'name',
  scope: 'market:read',
  query: ofAddress,
  item: Offer,
})

/** My offers: those that a wallet has made. */
export const mine = pagedGatewayOperation({
  id: 'offers.mine',
  method: 'GET',
  path: '/api/v1/market/offer/mine',
  source: 'name',
  scope: 'market:read',
  query: ofAddress,
  item: Offer,
})

/** Accepts an offer: the owner's token is promised, and the offerer's order waits for its payment. */
export const accept = gatewayOperation({
  id: 'offers.accept',
  method: 'POST',
  path: '/api/v1/market/offer/accept',
  source: 'added',
  scope: 'market:write',
  body: {
    ...offerId,
    /** Who sells. */
    owner: Text,
    /** Which token, where the offer is for any of a collection. */
    nftId: v.optional(Text),
  },
  data: AcceptedOrder,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, OFFER_CLOSED, CHAIN_UNREADABLE],
})

/** Rejects an offer for a token that nobody else owns some of. Again is the same answer. */
export const reject = gatewayOperation({
  id: 'offers.reject',
  method: 'POST',
  path: '/api/v1/market/offer/reject',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: {
    ...offerId,
    /** The wallet that rejects it, which owns what it is for. */
    owner: Text,
  },
  data: Offer,
  errors: [NotFoundError, OFFER_NOT_YOURS, OFFER_FOR_OTHERS, OFFER_CLOSED],
})

/** Takes an offer back that nobody has accepted. Again is the same answer. */
export const cancel = gatewayOperation({
  id: 'offers.cancel',
  method: 'POST',
  path: '/api/v1/market/offer/cancel',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: {
    ...offerId,
    /** Who made it. */
    offerer: Text,
  },
  data: Offer,
  errors: [NotFoundError, OFFER_NOT_YOURS, OFFER_CLOSED],
})
