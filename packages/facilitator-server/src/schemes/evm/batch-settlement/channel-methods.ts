import { addressTopic, isTransferOf, type Log, transferTopic } from '../../../chains/evm/reads/transfer.ts'
import type { LogEvidence, MethodReasons } from '../../../chains/evm/reads/transfer-method.ts'
import type { GasCaps } from '../../../chains/evm/settings/gas-caps.ts'
import type { Execution, SettlementCall } from '../../../chains/evm/transactions/execution.ts'
import { larger } from '../../../payment/amounts.ts'
import type { Payment, PaymentOnChain } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { eip3009 } from '../exact-eip3009/eip3009.ts'
import { evaluateAuthorization } from '../shared/authorization-logs.ts'
import {
  batchSettlementAddress,
  channelRead,
  depositCollectorAddress,
  encodeDeposit,
  encodeOperation,
  findPaidOut,
  hasClaimed,
  isClaimCall,
  isPayoutCall,
} from './channel-contracts.ts'
import { computeDepositDigest, toBytes } from './channel-digests.ts'
import { channelReasons } from './channel-reasons.ts'
import { commitChannels } from './channel-store.ts'
import { requireDeposit } from './channel-terms.ts'

const depositReasons: MethodReasons = {
  signature: channelReasons.depositSignature,
  nonceUsed: reasons.nonceUsed,
  validAfter: channelReasons.validAfter,
  validBefore: channelReasons.validBefore,
  simulationFailed: channelReasons.depositSimulationFailed,
}

/**
 * Deposits into a channel by EIP-3009. The collector takes the signed amount, for the channel of which the
 * nonce is a hash, and passes it on to x402's contract. Both transfers are the deposit: the payer can also
 * use the nonce for a plain transfer to the collector, which deposits nothing.
 */
export const channelDeposit: Execution = {
  ...eip3009,
  // The contract of the channels compares its own balances when it receives a deposit.
  hasDelivery: false,
  // The contract may be entered once in a transaction.
  encodeShared: () => undefined,
  commit: commitChannels,
  reasons: depositReasons,
  computeDigest: computeDepositDigest,
  encodeTransfer: (payment, signature, signedByKey) =>
    // The bytes of a contract's signature are its own.
    encodeDeposit(payment, requireDeposit(payment), signedByKey ? withUsualParity(signature) : signature),
  evaluateLogs: evaluateDeposit,
  // The calls inside the deposit are the contracts'.
  hasMadePayment: async () => undefined,
  toRefusalReason(error) {
    const reason = eip3009.toRefusalReason(error)
    return depositRefusals.get(reason) ?? depositReasons.simulationFailed
  },
}

/** Whether the collector received the deposit, and passed it on before it received or sent anything else. */
function evaluateDeposit(logs: readonly Log[], payment: PaymentOnChain, isOwn: boolean): LogEvidence {
  const evidence = evaluateAuthorization(logs, { ...payment, payTo: depositCollectorAddress }, isOwn)
  if (evidence.kind !== 'paid') return evidence.kind
  const passed = evidence.later.find(
    ({ topics: [event, from, to] }) =>
      event === transferTopic && [from?.toLowerCase(), to?.toLowerCase()].includes(collectorTopic),
  )
  const { amount } = payment
  const isDeposited =
    passed !== undefined &&
    isTransferOf(passed, { payer: depositCollectorAddress, payTo: batchSettlementAddress, amount })
  return isDeposited ? 'paid' : 'unpaid'
}

const collectorTopic: string = addressTopic(depositCollectorAddress)

const depositRefusals: ReadonlyMap<string, string> = new Map([
  [reasons.nonceUsed, depositReasons.nonceUsed],
  [reasons.validAfter, depositReasons.validAfter],
  [reasons.validBefore, depositReasons.validBefore],
  [reasons.insufficientFunds, reasons.insufficientFunds],
  [reasons.signature, depositReasons.signature],
])

/** Some wallets end a signature with 0 or 1, which a token does not accept as bytes. */
function withUsualParity(signature: string): string {
  const last = Number.parseInt(signature.slice(130), 16)
  return signature.length === 132 && last < 27
    ? signature.slice(0, 130) + (last + 27).toString(16)
    : signature
}

const operationReasons: MethodReasons = {
  signature: channelReasons.voucherSignature,
  // The chain has no nonce of an operation, so that no revert has this reason.
  nonceUsed: channelReasons.nothingToSettle,
  validAfter: channelReasons.validAfter,
  validBefore: channelReasons.validBefore,
  simulationFailed: channelReasons.claimSimulationFailed,
}

/**
 * Claims, refunds and payouts of channels. Their nonce is a hash of what they do and exists in our books
 * only, so it is never used on the chain: only the receipt of a transaction of ours shows that they were
 * executed. A repeated one changes nothing there. Anyone can pay out a seller, or send signed claims. If
 * another party is first, our transaction succeeds and changes nothing.
 */
export const channelOperation: Execution = {
  name: 'channel',
  hasDelivery: false,
  createCall: createOperationCall,
  commit: commitChannels,
  reasons: operationReasons,
  computeDigest: ({ nonce }) => toBytes(`0x${nonce.slice(2)}`),
  toKeySignature: (signature) => signature,
  encodeTransfer: encodeOperation,
  nonceRead: ({ nonce }) => channelRead(nonce),
  isUsed: (_, { success, data }) => (success && data !== '' ? false : undefined),
  evaluateLogs: (_logs, _payment, isOwn) => (isOwn ? 'paid' : 'absent'),
  findMissingEffect,
  supersededReason: operationReasons.simulationFailed,
  hasMadePayment: async () => false,
  searchUse: async () => undefined,
  toRefusalReason: () => operationReasons.simulationFailed,
}

function findMissingEffect(logs: readonly Log[], payment: PaymentOnChain, input: string): string | undefined {
  if (isPayoutCall(input))
    return findPaidOut(logs, payment) === undefined ? channelReasons.nothingToSettle : undefined
  // A refund uses its nonce, whatever it claims.
  return isClaimCall(input) && !hasClaimed(logs) ? channelReasons.belowClaimed : undefined
}

/** Enough for the signatures and storage of an operation without claims. */
const OPERATION_GAS = 300_000n
/** Enough for the signature, the storage and the data of one more channel. */
const CLAIM_GAS = 60_000n

/** Limits the gas of an operation by the number of its channels. */
function getOperationGasCap({ channel }: Payment, { contract }: GasCaps): bigint {
  const signed = channel?.kind === 'claim' || channel?.kind === 'refund' ? channel.signed : undefined
  const base = larger(contract, OPERATION_GAS)
  return base + CLAIM_GAS * BigInt(signed?.claims.length ?? 0)
}

/** Enough for a payout or a refund to a wallet without tokens. */
const TRANSFER_GAS = 150_000n

/**
 * The least gas limit of an operation. On the state of a lagging node nothing may be due, so that it
 * estimates less than a transfer needs.
 */
const getOperationGasFloor = ({ channel }: Payment): bigint =>
  channel?.kind === 'settle' || channel?.kind === 'refund' ? TRANSFER_GAS : 0n

function createOperationCall(payment: Payment, gasCaps: GasCaps): SettlementCall {
  const gasCap = getOperationGasCap(payment, gasCaps)
  return {
    transfer: encodeOperation(payment),
    gasCap,
    contractGasCap: gasCap,
    gasFloor: getOperationGasFloor(payment),
    deploys: false,
    executesOthers: true,
  }
}
