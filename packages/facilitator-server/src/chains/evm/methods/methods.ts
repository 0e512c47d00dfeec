import type { PaymentOnChain } from '../../../payments/payment.ts'
import { batchSettlementAddress } from '../channels/channel-contracts.ts'
import { channelDeposit, channelOperation } from '../channels/channel-methods.ts'
import { permit2Deposit } from '../channels/permit2-deposit.ts'
import { eip3009 } from './eip3009.ts'
import { permit2 } from './permit2.ts'
import { permit2Address } from './permit2-contracts.ts'
import type { TransferMethod } from './transfer-method.ts'

/** Returns the method that moves the tokens of a payment. */
export function methodOf({ domain, scheme }: Pick<PaymentOnChain, 'domain' | 'scheme'>): TransferMethod {
  const isOfChannel = scheme === 'batch-settlement'
  if (domain === permit2Address) return isOfChannel ? permit2Deposit : permit2
  if (domain === batchSettlementAddress) return channelOperation
  return isOfChannel ? channelDeposit : eip3009
}
