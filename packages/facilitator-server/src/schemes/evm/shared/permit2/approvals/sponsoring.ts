import type { ApprovalLimits } from '../../../../../chains/evm/settings/approval-limits.ts'
import type { BuiltInParts, EvmPayment } from '../../../../../chains/evm/transactions/execution.ts'
import type { SettlingChain } from '../../../../../chains/evm/transactions/nonce-lanes.ts'
import type { Payment, UpstreamCall } from '../../../../../payment/payment.ts'
import type { ApprovalTransaction, Permit2Terms } from '../permit2-terms.ts'
import type { GrantKey } from './grant-store.ts'

/** A payment with the payer's signed approval transaction. */
export interface SponsoredPayment {
  readonly payment: EvmPayment<Permit2Terms>
  readonly approval: ApprovalTransaction
}

/** A payment whose approval is sponsored, on its chain. */
export interface Sponsoring extends SponsoredPayment {
  readonly parts: BuiltInParts
  readonly on: SettlingChain
  readonly limits: ApprovalLimits
  readonly call: UpstreamCall
}

/** Returns the key of what a payment's wallet was given. */
export const grantKey = ({ chainId, payer, asset }: Payment): GrantKey => ({ chainId, payer, asset })
