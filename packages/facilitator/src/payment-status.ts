import { record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import type { MicropaymentOrderStatus } from './micropayment-orders.ts'

// A newer server may return further values, so the type of the record is open.
const state: Schema<MicropaymentOrderStatus | (string & {})> = v.string()

const paymentStatus = record({
  /** The number of the payment's order. */
  orderNo: v.string(),
  /**
   * `settled`: executed. `failed`: never executed. `not_sent`: not executed, and another settle may execute it. `sent`
   * and `unknown`: not known yet.
   */
  state,
  /** Why it failed or was not sent, as x402 names it. */
  reason: v.optional(v.string()),
  /** The CAIP-2 id of the chain. */
  network: v.string(),
  /** The wallet that paid: an EVM address in lower case, or a Solana address. */
  payer: v.string(),
  /** 0x and 64 hexadecimal digits. */
  nonce: v.string(),
  /** The hash of the EVM transaction, or the signature of the Solana one; `''` until it is known. */
  transaction: v.string(),
  /** The blocks from the payment's block to the newest one, including both. Absent while the block is not known. */
  confirmations: v.optional(v.number()),
  /** When a block is final on this chain: `finalized`, `safe` or a number of blocks. */
  finality: v.string(),
  /** Whether the payment's block is final, so that it is not executed in another one. */
  isFinal: v.boolean(),
  /** Whether the account was charged for the settlement. */
  isCharged: v.boolean(),
  /** Whether the success was returned by a settle. */
  isDelivered: v.boolean(),
  /** When the settlement was requested. */
  createTime: Timestamp,
  /** When the outcome became known. */
  settleTime: v.optional(Timestamp),
})
/** What became of a payment. */
export interface PaymentStatus extends v.InferOutput<typeof paymentStatus> {}
export const PaymentStatus: Schema<PaymentStatus> = paymentStatus
