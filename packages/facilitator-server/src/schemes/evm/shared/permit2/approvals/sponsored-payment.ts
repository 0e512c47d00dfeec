import type { TransferMethod } from '../../../../../chains/evm/reads/transfer-method.ts'
import type { ApprovalTransaction, Payment } from '../../../../../payment/payment.ts'

/** A payment with the payer's signed approval transaction. */
export interface SponsoredPayment {
  readonly payment: Payment
  readonly method: TransferMethod
  readonly approval: ApprovalTransaction
}
