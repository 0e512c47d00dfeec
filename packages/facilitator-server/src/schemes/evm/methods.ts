import type { Execution, Executions } from '../../chains/evm/transactions/execution.ts'
import type { PaymentOnChain } from '../../payment/payment.ts'
import { batchSettlementAddress } from './batch-settlement/channel-contracts.ts'
import { channelDeposit, channelOperation } from './batch-settlement/channel-methods.ts'
import { permit2Deposit } from './batch-settlement/permit2-deposit.ts'
import { eip3009 } from './exact-eip3009/eip3009.ts'
import { addGrantReplacement } from './shared/permit2/approvals/grant-store.ts'
import { permit2 } from './shared/permit2/permit2.ts'
import { decodeSettle, permit2Address } from './shared/permit2/permit2-contracts.ts'

/** Returns how a payment is executed. */
export function methodOf({ domain, scheme }: Pick<PaymentOnChain, 'domain' | 'scheme'>): Execution {
  const isOfChannel = scheme === 'batch-settlement'
  if (domain === permit2Address) return isOfChannel ? permit2Deposit : permit2
  if (domain === batchSettlementAddress) return channelOperation
  return isOfChannel ? channelDeposit : eip3009
}

/** What the built-in upstream uses of the schemes. */
export const executions: Executions = {
  find: methodOf,
  isBoundToSender: ({ recipient, data }) => decodeSettle(recipient, data)?.scheme === 'upto',
  addGrantReplacement,
}
