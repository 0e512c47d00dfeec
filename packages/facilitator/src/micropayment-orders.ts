import { Address, Amount, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'

const micropaymentOrder = record({
  /** The order's number. */
  orderNo: v.string(),
  /** The wallet that paid, in lower case. */
  payer: v.string(),
  /** The wallet of the account that was charged for the settle. */
  account: v.string(),
  /** `sent`, `settled`, `failed`, `unknown`, or `not_sent`: then the payment can be settled again. */
  status: v.string(),
  /** What the settle costs, in wei of the native token. */
  price: Amount,
  /** CAIP-2, such as `eip155:84532`. */
  network: v.string(),
  /** How the payment was made: `exact`. */
  scheme: v.string(),
  /** The token's address. */
  asset: v.string(),
  /** Who was paid, in lower case. */
  payTo: v.string(),
  /** What was paid, in base units of the asset. */
  amount: Amount,
  /** The transaction's hash; `''` while none is known. */
  transaction: v.string(),
  /** The HTTP status of the upstream facilitator; 0 while there is none. */
  upstreamStatus: v.number(),
  /** When the settle was asked for. */
  createTime: Timestamp,
  /** When the outcome was known. */
  settleTime: v.optional(Timestamp),
})
/** One settle and what became of it. */
export interface MicropaymentOrder extends v.InferOutput<typeof micropaymentOrder> {}
export const MicropaymentOrder: Schema<MicropaymentOrder> = micropaymentOrder

/** List Micropayment Orders of the account, newest first. */
export const list = pagedFacilitatorOperation({
  id: 'micropaymentOrders.list',
  method: 'GET',
  path: '/micropayment-orders',
  source: 'name',
  scope: 'orders:read',
  query: {
    /** `sent`, `settled`, `failed`, `unknown` or `not_sent`. */
    status: v.optional(v.string()),
    /** The wallet that paid. */
    payer: v.optional(Address),
    /** Made at or after. */
    from: v.optional(Timestamp),
    /** Made before. */
    to: v.optional(Timestamp),
  },
  item: MicropaymentOrder,
})

/** Get Micropayment Order Detail: one settle of the account and what became of it. */
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
