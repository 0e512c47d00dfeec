import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { PurchaseStore } from './store.ts'

/** What became of a payment. `unknown`: the facilitator has never received it. */
export type PaymentStatus =
  | { readonly state: 'settled'; readonly transaction: string }
  | { readonly state: 'failed' | 'pending' | 'unknown' }

/** A payment that was signed for a purchase. */
export interface SignedPayment {
  /** The wallet that pays. */
  readonly payer: string
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
}

export interface SellerOptions {
  /** Keeps the purchases of all processes. */
  readonly store: PurchaseStore
  /**
   * Queries the facilitator for the outcome of a payment whose settle was not answered: `createPaymentStatus`. Without it, the same payment is settled
   * once more, and only a success or `duplicate_settlement` with a transaction proves that it was paid.
   */
  readonly status?: (payment: SignedPayment) => Promise<PaymentStatus>
  /** How long a handler may work. A purchase whose seller was killed meanwhile starts again afterwards. 60,000 by default. */
  readonly handlerMs?: number
  /** How long a purchase that is paid and not delivered can be redeemed. 30 days by default. */
  readonly redeemMs?: number
  /** How long the response to a purchase with a payment identifier is given again after its delivery. A day by default. */
  readonly repeatMs?: number
  /**
   * How long a delivered response is given again to the same signed payment without an identifier. 0 by default: a settled signature is public on the
   * chain, so whoever reads it there could ask.
   */
  readonly repeatSignatureMs?: number
  /** The size of the largest response that is stored. 262,144 by default. For larger ones the handler runs again. */
  readonly maxResponseBytes?: number
  /** How many times the handler may rerun for a purchase whose response was too large to store. 10 by default. */
  readonly maxReruns?: number
  /** Receives errors of the store, of `status`, and of repeated settles. Written to the console by default. */
  readonly onError?: (error: unknown) => void
}

const DAY_MS = 86_400_000

export const withDefaults = (options: SellerOptions) => ({
  handlerMs: 60_000,
  redeemMs: 30 * DAY_MS,
  repeatMs: DAY_MS,
  repeatSignatureMs: 0,
  maxResponseBytes: 262_144,
  maxReruns: 10,
  onError: (error: unknown) => console.error(error),
  ...options,
})
export type Settings = ReturnType<typeof withDefaults>
