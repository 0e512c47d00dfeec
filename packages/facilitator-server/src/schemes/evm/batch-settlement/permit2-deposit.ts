import type { MethodReasons } from '../../../chains/evm/reads/transfer-method.ts'
import type { Execution } from '../../../chains/evm/transactions/execution.ts'
import { reasons } from '../../../payment/reasons.ts'
import { evaluateTransfers, isUseOver, permit2, toContractSignature } from '../shared/permit2/permit2.ts'
import { batchSettlementAddress, encodeDeposit } from './channel-contracts.ts'
import { channelReasons } from './channel-reasons.ts'
import { commitChannels } from './channel-store.ts'
import { requireDeposit } from './channel-terms.ts'

const depositReasons: MethodReasons = {
  signature: channelReasons.permit2Signature,
  nonceUsed: reasons.permit2NonceUsed,
  validAfter: channelReasons.validAfter,
  validBefore: channelReasons.permit2DeadlineExpired,
  simulationFailed: channelReasons.depositSimulationFailed,
}

/**
 * Deposits into a channel by Permit2. The payer signs the channel, and the tokens move straight to x402's
 * contract of the channels.
 *
 * Permit2 has no event for the use of a nonce, and a settlement does not contain its channel, so only a
 * transaction of ours is known to be the deposit: the payer could have used the nonce for another channel
 * with the same seller and amount.
 */
export const permit2Deposit: Execution = {
  ...permit2,
  hasDelivery: false,
  commit: commitChannels,
  reasons: depositReasons,
  encodeTransfer: (payment, signature, signedByKey) =>
    encodeDeposit(payment, requireDeposit(payment), toContractSignature(signature, signedByKey)),
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
