import type { PaymentOnChain } from '../../../payments/payment.ts'
import { eip3009 } from './eip3009.ts'
import { permit2 } from './permit2.ts'
import { permit2Address } from './permit2-contracts.ts'
import type { TransferMethod } from './transfer-method.ts'

/** Returns the method that moves the tokens of a payment. */
export const methodOf = ({ domain }: Pick<PaymentOnChain, 'domain'>): TransferMethod =>
  domain === permit2Address ? permit2 : eip3009
