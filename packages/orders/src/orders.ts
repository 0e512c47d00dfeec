import {
  Amount,
  Hash,
  Integer,
  NotFoundError,
  Positive,
  record,
  referenceInput,
  type Schema,
  serverOnly,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import {
  type DataOf,
  type GatewayClient,
  gatewayOperation,
  type InputOf,
  pagedGatewayOperation,
} from '@mintmark/operation'
import * as v from 'valibot'
import { type MarketType, Order, OrderInfo, type OrderStatus } from './order-info.ts'
import { OrderRefunds } from './refunds.ts'
import {
  CHAIN_UNREADABLE,
  COUPON_INVALID,
  COUPON_MINIMUM,
  COUPON_USED_UP,
  COUPON_WALLET_LIMIT,
  LISTING_NOT_OPEN,
  LISTING_RESERVED,
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  ORDER_NOT_CANCELLABLE,
  ORDER_NOT_DECLINABLE,
  ORDER_NOT_PAYABLE,
  ORDER_RECIPIENT_MISMATCH,
  OUT_OF_STOCK,
  PAYMENT_HASH_TAKEN,
  PAYMENT_MINED,
  REFUND_MISMATCH,
  REFUND_NOT_FINAL,
  TOO_MANY_OPEN_ORDERS,
  TOO_MANY_PAYMENTS,
} from './rules.ts'
import { type WaitForOrderInput, waitForOrder } from './wait-for.ts'

/**
 * Reserves units of a listing for a buyer, or a mint of a phase of a presale, fixes the price, and returns
 * what must be paid, to whom and until when. `listingId` names a listing, `phaseId` a phase; an input has
 * exactly one of them. Send an idempotency key, so that a retry cannot place a second order. NotFoundError if
 * the listing or phase does not exist; the other errors are rules of the listing, the coupon or the presale.
 *
 * After an order for a phase has the status SUCCESS, `mintSign` signs the permission to mint.
 *
 * @example
 * const order = await orders.preOrder(
 *   gateway,
 *   { listingId: 7, quantity: 1, recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   { idempotencyKey: 'auto' },
 * )
 * console.log(order.payAmount, order.payTokenAddress, order.sender, order.expireTime)
 */
export const preOrder = gatewayOperation({
  id: 'orders.preOrder',
  method: 'POST',
  path: '/api/v1/order/preOrder',
  source: 'method',
  scope: 'orders:write',
  body: {
    /** The id of the listing. Required without `phaseId`. */
    listingId: v.optional(Positive),
    /** The id of the phase of a presale. Required without `listingId`. */
    phaseId: v.optional(Positive),
    /** The expected `marketType` of the listing or phase; another one is refused. Default: any. */
    marketType: v.optional(Positive as Schema<MarketType | (number & {})>),
    /** The number of units. */
    quantity: Positive,
    /** The buyer's address. This wallet pays and receives the tokens. */
    recipient: Text,
    /**
     * A coupon's code, for listings with a coupon; case does not matter. An order with an invalid code is
     * refused. Without a code, a coupon that applies automatically lowers the price while it is valid.
     */
    couponCode: v.optional(v.string()),
    /**
     * Whether several payments may pay the price together until the order expires: report each by `payOrder`.
     * Default: false, so that an order with too small a payment needs a decision.
     */
    partialPayments: v.optional(v.boolean()),
    /**
     * For a phase: the NFT. Default: a token of the collection, or the first product with enough supply left.
     */
    nftId: v.optional(Text),
    /** For a phase: the wallet's Merkle proof, if the phase has its own `merkleRoot`. */
    proof: v.optional(v.array(Hash)),
    /** The limit in the leaf that `proof` proves. */
    limit: v.optional(Amount),
    ...referenceInput,
  },
  data: Order,
  ...serverOnly({
    oneOf: ['listingId', 'phaseId'],
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
      MINT_NOT_OPEN,
      MINT_LIMIT_REACHED,
      NFT_NOT_MINTABLE,
      NOT_WHITELISTED,
      CHAIN_UNREADABLE,
    ],
  }),
})
export type PreOrderInput = InputOf<typeof preOrder>

/**
 * Reports the transaction that pays an order. Idempotent: repeating the call returns the same result. If the
 * wallet replaces the transaction, for example with a higher fee, report the new hash with another call. If the
 * order allows partial payments, report each of them. The chain determines whether a transaction pays this
 * order, whoever reports it.
 *
 * @example
 * const { orderStatus } = await orders.payOrder(gateway, { orderNo: order.orderNo, hash, recipient: order.recipient })
 * if (orderStatus === OrderStatus.IN_PROGRESS) console.log('waits for confirmations')
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
export type PayOrderInput = InputOf<typeof payOrder>

const orderNo = {
  /** The order's number. */
  orderNo: Text,
}

/**
 * Cancels an unpaid order and releases its reservation. Idempotent: repeating the call returns the same
 * result. NotFoundError if the order does not exist. `ORDER_NOT_CANCELLABLE` if a payment was reported or the
 * order has ended.
 *
 * @example
 * await orders.cancel(gateway, { orderNo: order.orderNo })
 */
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
export type CancelOrderInput = InputOf<typeof cancel>

/**
 * Declines an order whose payment does not fit: too little, or when nothing was left. The order has the status
 * FAILED, its stock is available again, and what its buyer paid is due to be paid back: `getRefunds` returns
 * the transfer. Decline an order before you pay its buyer back, so that its payment cannot count for another
 * order meanwhile. Idempotent: a declined order is returned unchanged.
 *
 * An order that ended unpaid keeps its status. NotFoundError if the order does not exist.
 *
 * @example
 * const { orderStatus, refundDue } = await orders.decline(gateway, { orderNo: order.orderNo })
 */
export const decline = gatewayOperation({
  id: 'orders.decline',
  method: 'POST',
  path: '/api/v1/order/{orderNo}/decline',
  source: 'added',
  idempotent: true,
  scope: 'orders:write',
  params: orderNo,
  data: Order,
  errors: [NotFoundError, ORDER_NOT_DECLINABLE],
})
export type DeclineOrderInput = InputOf<typeof decline>

/**
 * Returns what the seller of an order owes its buyer, the transfer that pays it, and the refunds that were
 * recorded. NotFoundError if the order does not exist.
 *
 * @example
 * const { due, transfer } = await orders.getRefunds(gateway, { orderNo: order.orderNo })
 * if (transfer !== undefined) console.log(`send ${due} base units`, transfer)
 */
export const getRefunds = gatewayOperation({
  id: 'orders.getRefunds',
  method: 'GET',
  path: '/api/v1/order/{orderNo}/refunds',
  source: 'added',
  scope: 'orders:read',
  params: orderNo,
  data: OrderRefunds,
  errors: [NotFoundError],
})
export type GetOrderRefundsInput = InputOf<typeof getRefunds>

/**
 * Records a transfer from the seller of an order to its buyer. The chain proves it: its token, both wallets,
 * and that its block is final. It pays what is due, in parts too; a transfer of more, or when nothing is due,
 * is recorded as well. Idempotent: a recorded transfer returns the present state.
 *
 * NotFoundError if the order does not exist. A transaction is recorded for one order of a project.
 *
 * @example
 * const { due } = await orders.recordRefund(gateway, { orderNo: order.orderNo, hash })
 * if (due === '0') console.log('The buyer has the money back')
 */
export const recordRefund = gatewayOperation({
  id: 'orders.recordRefund',
  method: 'POST',
  path: '/api/v1/order/{orderNo}/refund',
  source: 'added',
  idempotent: true,
  scope: 'orders:write',
  params: orderNo,
  body: {
    /** The hash of the refund's transaction. */
    hash: Text,
  },
  data: OrderRefunds,
  errors: [
    NotFoundError,
    REFUND_NOT_FINAL,
    REFUND_MISMATCH,
    PAYMENT_HASH_TAKEN,
    TOO_MANY_PAYMENTS,
    CHAIN_UNREADABLE,
  ],
})
export type RecordOrderRefundInput = InputOf<typeof recordRefund>

/**
 * Removes a buyer's orders that failed, expired or were cancelled, so that they are no longer returned.
 * Orders with a payment that has to go back remain. Returns the number of removed orders.
 *
 * @example
 * const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { count } = await orders.removeUnsuccessful(gateway, { recipient })
 */
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
    /** The number of removed orders. */
    count: Integer,
  }),
})
export type RemoveUnsuccessfulOrdersInput = InputOf<typeof removeUnsuccessful>
export type RemoveUnsuccessfulOrdersResult = DataOf<typeof removeUnsuccessful>

/**
 * Returns one order by its number. NotFoundError if it does not exist.
 *
 * @example
 * const { orderStatus, reason } = await orders.get(gateway, { orderNo: order.orderNo })
 * if (orderStatus === OrderStatus.FAILED) console.log(reason)
 */
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
export type GetOrderInput = InputOf<typeof get>

/**
 * Waits until an order has ended, or until `until`, and returns it. It reads the order at growing intervals,
 * up to 5 seconds.
 *
 * TimeoutError if that takes longer than `timeout`: the order continues, so wait again, or react to its
 * events. NotFoundError if the order does not exist. An order that ended is not always paid: check
 * `orderStatus`.
 *
 * @example
 * const order = await orders.waitFor(gateway, { orderNo, until: 'delivered', timeout: 60_000 })
 * if (order.orderStatus !== OrderStatus.SUCCESS) console.log(order.reason)
 */
export const waitFor: ((gateway: GatewayClient, input: WaitForOrderInput) => Promise<Order>) & {
  readonly service: 'gateway'
} = Object.assign(
  (gateway: GatewayClient, input: WaitForOrderInput) =>
    waitForOrder(
      { ...get, id: 'orders.waitFor' },
      (signal) => get(gateway, { orderNo: input.orderNo }, { signal }),
      input,
    ),
  { service: 'gateway' as const },
)

// The queries of lists repeat `creationTimeQuery` and `referenceQuery`, because spreads would add to programs
// with an order.

/**
 * Lists orders by buyer, status, kind of sale, whether a refund is due, number, name, creation time and your
 * own reference, newest first.
 *
 * @example
 * const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const order of orders.list.items(gateway, { recipient, orderStatus: OrderStatus.SUCCESS }))
 *   console.log(order.orderNo, order.nftName)
 */
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
    orderStatus: v.optional(Integer as Schema<OrderStatus | (number & {})>),
    /** How the token is sold. See `MarketType`. */
    marketType: v.optional(Integer as Schema<MarketType | (number & {})>),
    /** Whether the seller owes a refund. */
    refundDue: v.optional(v.boolean()),
    /** Your own reference, exactly. */
    reference: v.optional(v.string()),
    /** An order's number, or the beginning of its NFT's name; case does not matter. */
    searchKey: v.optional(v.string()),
    /** Created at this time or later. */
    from: v.optional(Timestamp),
    /** Created before this time. */
    to: v.optional(Timestamp),
  },
  item: Order,
})
export type ListOrdersInput = InputOf<typeof list>

/**
 * Lists the orders in which an NFT was sold, newest first.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const page = await orders.nftHistory(gateway, { nftAddress, nftId: '7' })
 */
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
    /** Created at this time or later. */
    from: v.optional(Timestamp),
    /** Created before this time. */
    to: v.optional(Timestamp),
  },
  item: Order,
})
export type ListNftHistoryInput = InputOf<typeof nftHistory>

/**
 * Lists the orders in which a seller sold something, newest first.
 *
 * @example
 * const sender = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
 * for await (const order of orders.soldList.items(gateway, { sender })) console.log(order.orderNo, order.payPrice)
 */
export const soldList = pagedGatewayOperation({
  id: 'orders.soldList',
  method: 'GET',
  path: '/api/v1/order/soldList',
  source: 'method',
  scope: 'orders:read',
  query: {
    /** The seller's address. */
    sender: Text,
    /** Created at this time or later. */
    from: v.optional(Timestamp),
    /** Created before this time. */
    to: v.optional(Timestamp),
  },
  item: Order,
})
export type ListSoldOrdersInput = InputOf<typeof soldList>
