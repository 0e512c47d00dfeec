import { Amount, Hash, Id, Integer, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { DECISION_REFUSED } from './rules.ts'

const stuckPayment = record({
  /** The hash of the reported transaction. */
  hash: v.string(),
  /** What the chain showed; `''` while it is not final. */
  outcome: v.string(),
  /** What the transaction moved from the buyer to the seller, in base units; 0 while that is unknown. */
  paid: Amount,
  /** What the seller owes the buyer of it, in base units. */
  refundDue: Amount,
})

const stuckOrder = record({
  /** The project's id. */
  projectId: Integer,
  /** The order's number. */
  orderNo: v.string(),
  /** The name of the order's status, such as `UNRESOLVED`. */
  status: v.string(),
  /** Why the order has this status; `''` without a reason. */
  reason: v.string(),
  /** Whether a payment, or a part of one, must be paid back. */
  refundDue: v.boolean(),
  /** `pending` while the order waits for the transfer of its token. */
  delivery: v.string(),
  /** The order's age in minutes. */
  ageMinutes: Integer,
  /** The chain's id. */
  chainId: v.string(),
  /** The seller's address. */
  seller: v.string(),
  /** The buyer's address. */
  buyer: v.string(),
  /** The price, in base units. */
  payAmount: Amount,
  /** The address of the pay token; `''` for the native token. */
  payTokenAddress: v.string(),
  /** The transactions that were reported for the order, oldest first. */
  payments: v.array(stuckPayment),
  /** What an operator can do, in words. */
  action: v.string(),
})
/** An order that needs an operator. */
export interface StuckOrder extends v.InferOutput<typeof stuckOrder> {}
export const StuckOrder: Schema<StuckOrder> = stuckOrder

const resolvedOrder = record({
  /** The project's id. */
  projectId: Integer,
  /** The order's number. */
  orderNo: v.string(),
  /** The name of the order's status after the decision. */
  status: v.string(),
  /** The chain's id. */
  chainId: v.string(),
  /** The transaction that counts as its payment; `''` for none. */
  hash: v.string(),
  /** Whether something is still to be paid back. */
  refundDue: v.boolean(),
})
/** An order after an operator's decision. */
export interface ResolvedOrder extends v.InferOutput<typeof resolvedOrder> {}
export const ResolvedOrder: Schema<ResolvedOrder> = resolvedOrder

const decision = {
  /** The project's id. */
  projectId: Id,
  /** The order's number. */
  orderNo: Text,
  /** Why, for those who read the order's history. */
  reason: Text,
}

/**
 * Lists the orders of all projects that the server cannot decide by itself, at most 1,000: those with money
 * at stake first, then the oldest.
 *
 * @example
 * for (const { orderNo, action } of await stuckOrders.list(gateway)) console.log(orderNo, action)
 */
export const list = gatewayOperation({
  id: 'stuckOrders.list',
  method: 'GET',
  path: '/admin/v1/operator/stuckOrders',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** Only unfinished orders that are older than this, in minutes. Default: 60. */
    minutes: v.optional(Integer),
    /** How long a seller may take to transfer a token, in hours. Default: 72. */
    deliveryHours: v.optional(Integer),
  },
  data: v.array(StuckOrder),
})
export type ListStuckOrdersInput = InputOf<typeof list>

/**
 * Decides an order: `success` delivers it and counts its payment, `failed` releases what it reserves.
 * Idempotent: repeating the decision returns the same result. `DECISION_REFUSED` if the order does not exist
 * or the state of the order does not allow the decision; the message says why.
 *
 * @example
 * await stuckOrders.resolve(gateway, { projectId: 1, orderNo, outcome: 'failed', reason: 'The buyer was paid back' })
 */
export const resolve = gatewayOperation({
  id: 'stuckOrders.resolve',
  method: 'POST',
  path: '/admin/v1/operator/stuckOrders/resolve',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: {
    ...decision,
    /** `success` or `failed`. */
    outcome: Text,
    /**
     * The transaction that counts as the payment of a success. Default: the reported one that pays the order.
     */
    hash: v.optional(Hash),
    /** Whether the order succeeds without a transaction that counts. Default: false. */
    withoutPayment: v.optional(v.boolean()),
  },
  data: ResolvedOrder,
  errors: [DECISION_REFUSED],
})
export type ResolveStuckOrderInput = InputOf<typeof resolve>

/**
 * Records that the excess of a payment was paid back: a second payment of an order, or what one paid too
 * much. Idempotent. `DECISION_REFUSED` if no refund is due.
 *
 * @example
 * await stuckOrders.recordRefund(gateway, { projectId: 1, orderNo, reason: 'Paid twice', hash: refundHash })
 */
export const recordRefund = gatewayOperation({
  id: 'stuckOrders.recordRefund',
  method: 'POST',
  path: '/admin/v1/operator/stuckOrders/recordRefund',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: {
    ...decision,
    /** The payment whose excess was paid back. Required if refunds of several payments are due. */
    payment: v.optional(Hash),
    /** The transaction that paid it back. Default: none, because it was done in another way. */
    hash: v.optional(Hash),
  },
  data: ResolvedOrder,
  errors: [DECISION_REFUSED],
})
export type RecordRefundInput = InputOf<typeof recordRefund>

/**
 * Ends the wait for the transfer of an order's token: the token was handed over in another way, or the buyer
 * has the money back. Idempotent. `DECISION_REFUSED` if the order waits for no delivery.
 *
 * @example
 * await stuckOrders.confirmDelivery(gateway, { projectId: 1, orderNo, reason: 'Handed over in the shop' })
 */
export const confirmDelivery = gatewayOperation({
  id: 'stuckOrders.confirmDelivery',
  method: 'POST',
  path: '/admin/v1/operator/stuckOrders/confirmDelivery',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: decision,
  data: ResolvedOrder,
  errors: [DECISION_REFUSED],
})
export type ConfirmDeliveryInput = InputOf<typeof confirmDelivery>
