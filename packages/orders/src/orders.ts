import { Amount, Hash, Integer, NotFoundError, Positive, record, Text } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { Order, OrderInfo } from './order-info.ts'
import {
  CHAIN_UNREADABLE,
  COUPON_INVALID,
  COUPON_MINIMUM,
  COUPON_USED_UP,
  COUPON_WALLET_LIMIT,
  LISTING_NOT_OPEN,
  LISTING_RESERVED,
  MINT_LIMIT_REACHED,
  NOT_WHITELISTED,
  ORDER_NOT_CANCELLABLE,
  ORDER_NOT_PAYABLE,
  ORDER_RECIPIENT_MISMATCH,
  OUT_OF_STOCK,
  PAYMENT_HASH_TAKEN,
  PAYMENT_MINED,
  TOO_MANY_OPEN_ORDERS,
  TOO_MANY_PAYMENTS,
} from './rules.ts'

/**
 * Pre order: reserves what is bought, fixes its price, and answers what must be paid to whom and until when. Send an Idempotency-Key with
 * it where it may be sent twice. What is bought of a presale's phase is minted with a signature of `mintSign`, once the order is a SUCCESS.
 */
export const preOrder = gatewayOperation({
  id: 'orders.preOrder',
  method: 'POST',
  path: '/api/v1/order/preOrder',
  source: 'method',
  scope: 'orders:write',
  body: {
    /** How it is sold: the listing's own `marketType`; 8 for a phase of a product card's presale, 9 for one of lazy minting. */
    marketType: Positive,
    /** The listing's id, or the phase's. */
    listingId: Positive,
    /** How many are bought. */
    quantity: Positive,
    /** The buyer's address: who pays, and who gets what is bought. */
    recipient: Text,
    /**
     * A coupon's code, for listings that have a coupon; case does not matter. With one, the order has the coupon or is refused. Without one
     * a coupon that applies by itself does so where it is good, and the order costs the full price where it is not.
     */
    couponCode: v.optional(v.string()),
    /** Of a phase: the NFT. None for the collection's own token, or the first product with enough left. */
    nftId: v.optional(Text),
    /** Of a phase: the wallet's proof, where its whitelist is a Merkle tree that is kept elsewhere. */
    proof: v.optional(v.array(Hash)),
    /** The limit in the leaf that `proof` is for. */
    limit: v.optional(Amount),
  },
  data: Order,
  errors: [
    NotFoundError,
    LISTING_NOT_OPEN,
    OUT_OF_STOCK,
    TOO_MANY_OPEN_ORDERS,
    LISTING_RESERVED,
    COUPON_INVALID,
    COUPON_USED_UP,
    COUPON_WALLET_LIMIT,
    COUPON_MINIMUM,
    MINT_LIMIT_REACHED,
    NOT_WHITELISTED,
    CHAIN_UNREADABLE,
  ],
})

/**
 * Order in progress: reports the transaction that pays an order. Idempotent: the same call returns the same result. A wallet that speeds up
 * its transaction reports the new hash the same way. The chain decides whether the transaction pays this order, whoever else reports it.
 */
export const payOrder = gatewayOperation({
  id: 'orders.payOrder',
  method: 'POST',
  path: '/api/v1/order/payOrder',
  source: 'stated',
  idempotent: true,
  scope: 'orders:write',
  body: {
    /** The payment's transaction hash. */
    hash: Text,
    /** The order's number. */
    orderNo: Text,
    /** The buyer's address: the order's recipient. */
    recipient: Text,
  },
  data: OrderInfo,
  errors: [
    NotFoundError,
    ORDER_NOT_PAYABLE,
    ORDER_RECIPIENT_MISMATCH,
    PAYMENT_HASH_TAKEN,
    PAYMENT_MINED,
    TOO_MANY_PAYMENTS,
  ],
})

const orderNo = {
  /** The order's number. */
  orderNo: Text,
}

/** Cancel order: gives back what an order that waits for its payment has reserved. Again is the same answer. */
export const cancel = gatewayOperation({
  id: 'orders.cancel',
  method: 'DELETE',
  path: '/api/v1/order/{orderNo}',
  source: 'method',
  idempotent: true,
  scope: 'orders:write',
  params: orderNo,
  data: Order,
  errors: [NotFoundError, ORDER_NOT_CANCELLABLE],
})

/** Delete the unsuccessful orders of a buyer: those that failed, expired or were cancelled are no longer answered. */
export const removeUnsuccessful = gatewayOperation({
  id: 'orders.removeUnsuccessful',
  method: 'DELETE',
  path: '/api/v1/order/unsuccessful',
  source: 'method',
  idempotent: true,
  scope: 'orders:write',
  query: {
    /** The buyer's address. */
    recipient: Text,
  },
  data: record({
    /** How many were removed. */
    count: Integer,
  }),
})

/** Query according to the order number. */
export const get = gatewayOperation({
  id: 'orders.get',
  method: 'GET',
  path: '/api/v1/order/{orderNo}',
  source: 'method',
  scope: 'orders:read',
  params: orderNo,
  data: Order,
  errors: [NotFoundError],
})

/** Order list, newest first. */
export const list = pagedGatewayOperation({
  id: 'orders.list',
  method: 'GET',
  path: '/api/v1/order/list',
  source: 'method',
  scope: 'orders:read',
  query: {
    /** The buyer's address. */
    recipient: v.optional(Text),
    /** See `OrderStatus`. */
    orderStatus: v.optional(Integer),
    /** The kind of sale, as in `Order`: 1 common, 2 coupon and so on. */
    marketType: v.optional(Integer),
    /** An order's number, or how its NFT's name begins; case does not matter. */
    searchKey: v.optional(v.string()),
  },
  item: Order,
})

/** Nft Order history: the orders by which an NFT was sold, newest first. */
export const nftHistory = pagedGatewayOperation({
  id: 'orders.nftHistory',
  method: 'GET',
  path: '/api/v1/order/nftHistory',
  source: 'method',
  scope: 'orders:read',
  query: {
    /** The contract's address. */
    nftAddress: Text,
    /** The token's id in its contract. */
    nftId: Text,
  },
  item: Order,
})

/** Sold order list: what a seller has sold, newest first. */
export const soldList = pagedGatewayOperation({
  id: 'orders.soldList',
  method: 'GET',
  path: '/api/v1/order/soldList',
  source: 'method',
  scope: 'orders:read',
  query: {
    /** The seller's address. */
    sender: Text,
  },
  item: Order,
})
