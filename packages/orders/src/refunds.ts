import { Amount, Integer, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { Order } from './order-info.ts'
import {
  CHAIN_UNREADABLE,
  ORDER_NOT_DECLINABLE,
  PAYMENT_HASH_TAKEN,
  REFUND_MISMATCH,
  REFUND_NOT_FINAL,
  TOO_MANY_PAYMENTS,
} from './rules.ts'

const orderRefund = record({
  /** The hash of the transaction that paid the buyer back. */
  hash: v.string(),
  /** What it moved from the seller to the buyer, in base units of the pay token. */
  amount: Amount,
  /** The block that contains it. */
  blockNumber: Integer,
  /** When it was recorded. */
  createTime: Timestamp,
})
/** A transfer from the seller of an order to its buyer. */
export interface OrderRefund extends v.InferOutput<typeof orderRefund> {}

const refundTransfer = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The seller's address, which sends the transaction. */
  from: v.string(),
  /** The buyer's address, or the contract of an ERC-20 token. */
  to: v.string(),
  /** The amount of the native token, in base units; `0` for an ERC-20 token. */
  value: Amount,
  /** The call of an ERC-20 token; `0x` for the native token. */
  data: v.string(),
})
/**
 * A transaction that pays the buyer of an order back. Its amounts are decimal texts; `eth_sendTransaction` takes
 * hexadecimal ones, so convert them: `BigInt(value)` for viem.
 */
export interface RefundTransfer extends v.InferOutput<typeof refundTransfer> {}

const orderRefunds = record({
  /** What the seller still owes the buyer, in base units of the pay token. */
  due: Amount,
  /** What the recorded refunds moved to the buyer, in base units of the pay token. */
  refunded: Amount,
  /** The transfer that pays what is due. Omitted if nothing is due. */
  transfer: v.optional(refundTransfer as Schema<RefundTransfer>),
  /** The recorded refunds, oldest first. */
  refunds: v.array(orderRefund as Schema<OrderRefund>),
})
/** What the seller of an order owes its buyer, and what was paid back. */
export interface OrderRefunds extends v.InferOutput<typeof orderRefunds> {}
export const OrderRefunds: Schema<OrderRefunds> = orderRefunds

const orderNo = {
  /** The order's number. */
  orderNo: Text,
}

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
