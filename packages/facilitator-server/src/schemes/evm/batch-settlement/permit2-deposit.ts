import type { NodeLog } from '@mintmark/evm-reader'
import { listCalls } from '../../../chains/evm/reads/transfer.ts'
import type { MethodReasons, PaymentNonce } from '../../../chains/evm/reads/transfer-method.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { EvmScheme, TransactionCall } from '../evm-scheme.ts'
import {
  createPermit2,
  evaluateTransfers,
  isUseOver,
  listCalled,
  toContractSignature,
} from '../shared/permit2/permit2.ts'
import {
  batchSettlementAddress,
  decodePermit2Deposit,
  encodePermittedDeposit,
  isDepositCall,
  permit2CollectorAddress,
  topics,
} from './channel-contracts.ts'
import { channelReasons } from './channel-reasons.ts'
import { channelDeposit } from './channel-schemes.ts'
import type { PermittedDeposit } from './channel-terms.ts'

const depositReasons: MethodReasons = {
  signature: channelReasons.permit2Signature,
  nonceUsed: reasons.permit2NonceUsed,
  validAfter: channelReasons.validAfter,
  validBefore: channelReasons.permit2DeadlineExpired,
  simulationFailed: channelReasons.depositSimulationFailed,
}

const permit2 = createPermit2<PermittedDeposit>(
  {
    spender: permit2CollectorAddress,
    witnessType: 'DepositWitness(bytes32 channelId)',
    encodeWitness: ({ details }) => details.voucher.channelId.slice(2),
  },
  channelReasons.permit2AllowanceRequired,
)

/**
 * Deposits into a channel by Permit2. The payer signs the channel, and the tokens move straight to x402's
 * contract of the channels.
 *
 * Permit2 has no event for the use of a nonce, and a settlement does not contain its channel, so only a
 * transaction of ours is known to be the deposit: the payer could have used the nonce for another channel
 * with the same seller and amount.
 */
export const permittedDeposit: EvmScheme<PermittedDeposit> = {
  ...permit2,
  ...channelDeposit,
  traces: {
    topics: [topics.deposited],
    contracts: [batchSettlementAddress],
    list: (transaction, logs) => [
      ...listCalled(transaction, decodePermit2Deposit),
      ...listHiddenDeposits(transaction, logs),
    ],
  },
  reasons: depositReasons,
  encodeTransfer: (payment, signature, signedByKey) =>
    encodePermittedDeposit(payment, toContractSignature(signature, signedByKey)),
  evaluateLogs: (logs, payment, isOwn) =>
    evaluateTransfers(logs, { ...payment, payTo: batchSettlementAddress }, isOwn),
  hasMadePayment: async () => false,
  searchUse: async (request) => ((await isUseOver(request)) ? { kind: 'unpaid' } : undefined),
  toRefusalReason(error) {
    const reason = permit2.toRefusalReason(error)
    return refusals.get(reason) ?? reason
  },
}

const refusals: ReadonlyMap<string, string> = new Map([
  [permit2.reasons.signature, depositReasons.signature],
  [permit2.reasons.validAfter, depositReasons.validAfter],
  [permit2.reasons.validBefore, depositReasons.validBefore],
  [permit2.reasons.simulationFailed, depositReasons.simulationFailed],
])

/**
 * Lists the deposits into channels of a transaction with fewer calls that deposit, because another contract
 * or `multicall` made them. The facilitator sends no such transaction. They have the channel in place of the
 * nonce, so that no settlement has their key.
 */
function listHiddenDeposits({ to, input }: TransactionCall, logs: readonly NodeLog[]): PaymentNonce[] {
  const deposits = logs.filter(({ topics: [event] }) => event === topics.deposited)
  const calls = to === null ? [] : listCalls(to, input).filter(isDepositCall)
  if (deposits.length <= calls.length) return []
  return deposits.flatMap(({ topics: [, channelId, sender] }) =>
    channelId === undefined || sender === undefined
      ? []
      : [{ domain: batchSettlementAddress, payer: `0x${sender.slice(26)}`, nonce: channelId }],
  )
}
