import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

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
  /** What the final payments of the buyer have paid, in base units of the pay token. */
  paid: Amount,
  /** What the recorded refunds moved to the buyer, in base units of the pay token. */
  refunded: Amount,
  /** What the seller keeps of what was paid, in base units of the pay token: `paid` less `refunded`. */
  kept: Amount,
  /** The transfer that pays what is due. Omitted if nothing is due. */
  transfer: v.optional(refundTransfer as Schema<RefundTransfer>),
  /** The recorded refunds, oldest first. */
  refunds: v.array(orderRefund as Schema<OrderRefund>),
})
/** What the seller of an order owes its buyer, and what was paid back. */
export interface OrderRefunds extends v.InferOutput<typeof orderRefunds> {}
export const OrderRefunds: Schema<OrderRefunds> = orderRefunds
