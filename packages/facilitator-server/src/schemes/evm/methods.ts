import type { PaymentOnChain } from '../../payment/payment.ts'
import { batchSettlementAddress } from './batch-settlement/channel-contracts.ts'
import { channelDeposit, channelOperation } from './batch-settlement/channel-methods.ts'
import { permit2Deposit } from './batch-settlement/permit2-deposit.ts'
import { eip3009 } from './exact-eip3009/eip3009.ts'
import { permit2 } from './shared/permit2/permit2.ts'
import { permit2Address } from './shared/permit2/permit2-contracts.ts'
import type { TransferMethod } from './shared/transfer-method.ts'

/** Returns the method that moves the tokens of a payment. */
export function methodOf({ domain, scheme }: Pick<PaymentOnChain, 'domain' | 'scheme'>): TransferMethod {
  const isOfChannel = scheme === 'batch-settlement'
  if (domain === permit2Address) return isOfChannel ? permit2Deposit : permit2
  if (domain === batchSettlementAddress) return channelOperation
  return isOfChannel ? channelDeposit : eip3009
}
