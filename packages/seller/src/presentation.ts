import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types'
import type { Call } from './call.ts'
import type { SettlementOverrides } from './purchase.ts'
import type { StoredPurchase } from './store.ts'

/** A payment that a call presents, and the stock functions of the resource server. */
export interface Presentation {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  /** Queries the facilitator for whether a payment is valid. */
  verify(payload?: PaymentPayload): Promise<VerifyResponse>
  /** Settles a payment. */
  settle(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    overrides?: SettlementOverrides,
  ): Promise<SettleResponse>
}

/** What a presented payment would buy, and the facilitator's response to its verify. */
export interface Candidate extends Presentation {
  readonly call: Call
  readonly entry: StoredPurchase
  readonly verified: VerifyResponse
}
