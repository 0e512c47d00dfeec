import {
  Amount,
  creationTimeQuery,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { facilitatorOperation, type InputOf, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { PayerAddress, SETTLEMENT_STATUSES } from './fields.ts'

/** The status of a settlement. `not_sent`: the payment can be settled with another call. */
export type MicropaymentOrderStatus = (typeof SETTLEMENT_STATUSES)[number]

// A newer server may return further values, so the type of the record is open.
const status: Schema<MicropaymentOrderStatus | (string & {})> = v.string()

const micropaymentOrder = record({
  /** The order's number. */
  orderNo: v.string(),
  /** The wallet that paid: an EVM address in lower case, or a Solana address. */
  payer: v.string(),
  /** The wallet of the account that pays for the settlement. */
  account: v.string(),
  /**
   * `sent`, `settled`, `failed`, `unknown`, or `not_sent`, after which another call can settle the payment.
   */
  status,
  /** The cost of the settlement, in wei of the native token. */
  price: Amount,
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: v.string(),
  /** The x402 scheme of the payment: `exact`, `upto`, `batch-settlement` or `auth-capture`. */
  scheme: v.string(),
  /** The token's address. */
  asset: v.string(),
  /** The wallet that receives the payment: an EVM address in lower case, or a Solana address. */
  payTo: v.string(),
  /** The paid amount, in base units of the asset. */
  amount: Amount,
  /** What refunds gave back of the payment, or what a refund itself gives back, in base units of the asset. */
  refunded: Amount,
  /** What was paid for, as in `accountTotals.get`: a URL without its query, or `''`. */
  resource: v.string(),
  /** The hash of the EVM transaction, or the signature of the Solana one; `''` until it is known. */
  transaction: v.string(),
  /** The HTTP status of the upstream facilitator; 0 before its response. */
  upstreamStatus: v.number(),
  /** When the settlement was requested. */
  createTime: Timestamp,
  /** When the outcome became known. */
  settleTime: v.optional(Timestamp),
})
/** A settlement with its outcome. */
export interface MicropaymentOrder extends v.InferOutput<typeof micropaymentOrder> {}
export const MicropaymentOrder: Schema<MicropaymentOrder> = micropaymentOrder

/**
 * Lists the settlements of the account, newest first.
 *
 * @example
 * for await (const order of micropaymentOrders.list.items(facilitator, { status: 'unknown' })) console.log(order.orderNo)
 */
export const list = pagedFacilitatorOperation({
  id: 'micropaymentOrders.list',
  method: 'GET',
  path: '/micropayment-orders',
  source: 'name',
  scope: 'orders:read',
  query: {
    /** `sent`, `settled`, `failed`, `unknown` or `not_sent`. */
    status: v.optional(v.picklist(SETTLEMENT_STATUSES)),
    /** The wallet that paid: an EVM address in any case, or a Solana address. */
    payer: v.optional(PayerAddress),
    ...creationTimeQuery,
  },
  orders: ['createTime'],
  item: MicropaymentOrder,
})
export type ListMicropaymentOrdersInput = InputOf<typeof list>

/**
 * Returns one settlement of the account with its outcome. NotFoundError if it does not exist.
 *
 * @example
 * const { status, transaction } = await micropaymentOrders.get(facilitator, { orderNo: order.orderNo })
 */
export const get = facilitatorOperation({
  id: 'micropaymentOrders.get',
  method: 'GET',
  path: '/micropayment-orders/{orderNo}',
  source: 'name',
  scope: 'orders:read',
  params: {
    /** The order's number. */
    orderNo: Text,
  },
  data: MicropaymentOrder,
  errors: [NotFoundError],
})
export type GetMicropaymentOrderInput = InputOf<typeof get>
