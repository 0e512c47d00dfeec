import {
  Amount,
  creationTimeQuery,
  Id,
  Integer,
  NotFoundError,
  OpenPayTokenType,
  Positive,
  record,
  referenceField,
  referenceInput,
  referenceQuery,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import {
  CHAIN_UNREADABLE,
  NOT_ENOUGH_OWNED,
  OFFER_CLOSED,
  OFFER_FOR_OTHERS,
  OFFER_NOT_YOURS,
} from './rules.ts'

/** The status of an offer. */
export type OfferStatus = 'ACTIVE' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED'

// A newer server may return further values, so the type of the record is open.
const status: Schema<OfferStatus | (string & {})> = v.string()

const offer = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When the offer was created. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** When the offer expires. */
  expireTime: Timestamp,
  /** The offer's id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract; `''` for any token of the collection. */
  nftId: v.string(),
  /** The token's name, or the contract's name if the offer is for any token of the collection. */
  nftName: v.string(),
  /** The address of the wallet that made the offer, in lower case. */
  offerer: v.string(),
  /** The offer's number, for display. */
  offerNo: v.string(),
  /** The number of the order that the offerer must pay; `''` until the offer is accepted. */
  orderNo: v.string(),
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: OpenPayTokenType,
  /** The project that the offer belongs to. */
  projectId: Integer,
  /** The number of units. */
  quantity: Integer,
  ...referenceField,
  /** `ACTIVE`, `ACCEPTED`, `REJECTED`, `CANCELLED` or `EXPIRED`. */
  status,
  /** The price of the whole `quantity`, in base units of the pay token. */
  totalPrice: Amount,
  /** When the offer was last changed. */
  updateTime: Timestamp,
})
/** An offer for a token, or for any token of a collection. */
export interface Offer extends v.InferOutput<typeof offer> {}
export const Offer: Schema<Offer> = offer

const offerOfToken = record({
  /** The highest offer in this pay token. */
  offer: Offer,
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** `NATIVE` or `ERC20`. */
  payTokenType: OpenPayTokenType,
})
/** The highest offer in one pay token. */
export interface OfferOfToken extends v.InferOutput<typeof offerOfToken> {}
export const OfferOfToken: Schema<OfferOfToken> = offerOfToken

const acceptedOrder = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The time until which the payment can be reported. */
  expireTime: Timestamp,
  /** The order's id. */
  id: Integer,
  /** 7: the order of an offer. */
  marketType: v.number(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** The order's number, which `orders.payOrder` requires. */
  orderNo: v.string(),
  /** See `OrderStatus` of `@mintmark/orders`. */
  orderStatus: v.number(),
  /** The amount that `recipient` must pay to `sender` in one transaction, in base units of the pay token. */
  payAmount: Amount,
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The decimals of the pay token. */
  payTokenDecimals: Integer,
  /** `NATIVE` or `ERC20`. */
  payTokenType: OpenPayTokenType,
  /** The project that the order belongs to. */
  projectId: Integer,
  /** The number of units. */
  quantity: v.number(),
  /** The offerer's address. */
  recipient: v.string(),
  /** The owner's address. */
  sender: v.string(),
})
/** The order of an accepted offer: an `Order` of `@mintmark/orders`. The client checks these fields. */
export interface AcceptedOrder extends v.InferOutput<typeof acceptedOrder> {}
export const AcceptedOrder: Schema<AcceptedOrder> = acceptedOrder

const tokenQuery = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** The token's id in its contract. */
  nftId: Text,
}

const offerId = {
  /** The offer's id. */
  id: Id,
}

const walletQuery = {
  /** The wallet's address; case does not matter. */
  address: Text,
  /** `ACTIVE`, `ACCEPTED`, `REJECTED`, `CANCELLED` or `EXPIRED`. Default: all. */
  status: v.optional(v.picklist(['ACTIVE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED'])),
}

/**
 * Creates an offer for a token, or for any token of a collection. Amounts are in base units of the pay token.
 * Reserves nothing of the offerer's. NotFoundError if the contract is not registered.
 *
 * @example
 * const offer = await offers.create(gateway, {
 *   offerer: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   quantity: 1,
 *   totalPrice: '1000000000000000',
 *   expireTime: '2026-12-31T23:59:59Z',
 * })
 */
export const create = gatewayOperation({
  id: 'offers.create',
  method: 'POST',
  path: '/api/v1/market/offer/create',
  source: 'name',
  scope: 'market:write',
  body: {
    /** The buyer's address. This wallet pays if the offer is accepted. */
    offerer: Text,
    /** The contract's address; case does not matter. It must be registered. */
    nftAddress: Text,
    /** The token's id. Default: any token of the collection. */
    nftId: v.optional(Text),
    /** The number of units. */
    quantity: Positive,
    /** The price of the whole `quantity`, in base units of the pay token; not 0. */
    totalPrice: Amount,
    /** An ERC-20's address, or `''` for the chain's native token. Default: `''`. */
    payTokenAddress: v.optional(v.string()),
    /** When the offer expires: ISO 8601 with a time zone, such as `2026-01-01T00:00:00Z`. */
    expireTime: Timestamp,
    ...referenceInput,
  },
  data: Offer,
  errors: [NotFoundError, CHAIN_UNREADABLE],
})
export type CreateOfferInput = InputOf<typeof create>

/**
 * Lists the offers for an NFT that can be accepted now, including those for any token of its collection,
 * newest first. `orderBy` accepts id, createTime and totalPrice.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for await (const offer of offers.forNft.items(gateway, { nftAddress, nftId: '7' })) console.log(offer.totalPrice)
 */
export const forNft = pagedGatewayOperation({
  id: 'offers.forNft',
  method: 'GET',
  path: '/api/v1/market/offer/forNft',
  source: 'name',
  scope: 'market:read',
  publishable: true,
  query: tokenQuery,
  orders: ['id', 'createTime', 'totalPrice'],
  item: Offer,
})
export type ListOffersForNftInput = InputOf<typeof forNft>

/**
 * Lists the highest offer in each pay token for each token of a collection, and for the collection as a
 * whole, by the price of one unit. Of equal offers, the earliest wins. `orderBy` accepts id, createTime and
 * totalPrice.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const page = await offers.highestByCollection(gateway, { nftAddress })
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
  orders: ['id', 'createTime', 'totalPrice'],
  item: Offer,
})
export type ListHighestOffersByCollectionInput = InputOf<typeof highestByCollection>

/**
 * Lists the highest offer of other wallets in each pay token for each token that a wallet owns. `orderBy`
 * accepts id, createTime and totalPrice.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const offer of offers.highestByOwner.items(gateway, { owner })) console.log(offer.nftName, offer.totalPrice)
 */
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
  orders: ['id', 'createTime', 'totalPrice'],
  item: Offer,
})
export type ListHighestOffersByOwnerInput = InputOf<typeof highestByOwner>

/**
 * Returns the highest offer for an NFT in each pay token, including offers for any token of its collection.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const highest = await offers.maxByTokenType(gateway, { nftAddress, nftId: '7' })
 * for (const { payTokenAddress, offer } of highest) console.log(payTokenAddress, offer.totalPrice)
 */
export const maxByTokenType = gatewayOperation({
  id: 'offers.maxByTokenType',
  method: 'GET',
  path: '/api/v1/market/offer/maxByTokenType',
  source: 'name',
  scope: 'market:read',
  publishable: true,
  query: tokenQuery,
  data: v.array(OfferOfToken),
})
export type GetMaxOffersByTokenTypeInput = InputOf<typeof maxByTokenType>

/**
 * Lists the offers of other wallets for the tokens that a wallet owns, and the offers that it accepted or
 * rejected. `orderBy` accepts id, createTime and totalPrice.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const offer of offers.received.items(gateway, { address, status: 'ACTIVE' })) console.log(offer.offerNo)
 */
export const received = pagedGatewayOperation({
  id: 'offers.received',
  method: 'GET',
  path: '/api/v1/market/offer/received',
  source: 'name',
  scope: 'market:read',
  query: { ...walletQuery, ...creationTimeQuery },
  orders: ['id', 'createTime', 'totalPrice'],
  item: Offer,
})
export type ListReceivedOffersInput = InputOf<typeof received>

/**
 * Lists the offers that a wallet made. `orderBy` accepts id, createTime and totalPrice.
 *
 * @example
 * const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
 * for await (const offer of offers.mine.items(gateway, { address })) console.log(offer.offerNo, offer.status)
 */
export const mine = pagedGatewayOperation({
  id: 'offers.mine',
  method: 'GET',
  path: '/api/v1/market/offer/mine',
  source: 'name',
  scope: 'market:read',
  query: { ...walletQuery, ...creationTimeQuery, ...referenceQuery },
  orders: ['id', 'createTime', 'totalPrice'],
  item: Offer,
})
export type ListOffersMineInput = InputOf<typeof mine>

/**
 * Accepts an offer: reserves the owner's token and returns the order that the offerer must pay. NotFoundError
 * if the offer does not exist. `NOT_ENOUGH_OWNED` if the owner has fewer available units. `OFFER_CLOSED` if
 * the offer is no longer active.
 *
 * @example
 * const order = await offers.accept(gateway, { id: offer.id, owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * console.log(order.orderNo, order.expireTime)
 */
export const accept = gatewayOperation({
  id: 'offers.accept',
  method: 'POST',
  path: '/api/v1/market/offer/accept',
  source: 'added',
  scope: 'market:write',
  body: {
    ...offerId,
    /** The seller's address. */
    owner: Text,
    /** The token to sell. Required if the offer is for any token of a collection. */
    nftId: v.optional(Text),
  },
  data: AcceptedOrder,
  errors: [NotFoundError, NOT_ENOUGH_OWNED, OFFER_CLOSED, CHAIN_UNREADABLE],
})
export type AcceptOfferInput = InputOf<typeof accept>

/**
 * Rejects an offer as the only owner of the token. Idempotent: repeating the call returns the same offer.
 * NotFoundError if the offer does not exist. `OFFER_FOR_OTHERS` if other wallets can accept it too.
 *
 * @example
 * await offers.reject(gateway, { id: offer.id, owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 */
export const reject = gatewayOperation({
  id: 'offers.reject',
  method: 'POST',
  path: '/api/v1/market/offer/reject',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: {
    ...offerId,
    /** The address of the token's owner, who rejects the offer. */
    owner: Text,
  },
  data: Offer,
  errors: [NotFoundError, OFFER_NOT_YOURS, OFFER_FOR_OTHERS, OFFER_CLOSED],
})
export type RejectOfferInput = InputOf<typeof reject>

/**
 * Cancels an offer that was not accepted. Idempotent: repeating the call returns the same offer.
 * NotFoundError if the offer does not exist. `OFFER_NOT_YOURS` if another wallet made it.
 *
 * @example
 * await offers.cancel(gateway, { id: offer.id, offerer: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })
 */
export const cancel = gatewayOperation({
  id: 'offers.cancel',
  method: 'POST',
  path: '/api/v1/market/offer/cancel',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: {
    ...offerId,
    /** The address of the wallet that made the offer. */
    offerer: Text,
  },
  data: Offer,
  errors: [NotFoundError, OFFER_NOT_YOURS, OFFER_CLOSED],
})
export type CancelOfferInput = InputOf<typeof cancel>
