import { addressTopic, isTransferOf, type Log, transferTopic } from '../../../chains/evm/reads/transfer.ts'
import type { LogEvidence, MethodReasons } from '../../../chains/evm/reads/transfer-method.ts'
import type { PaymentOnChain } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { ServedScheme } from '../../scheme.ts'
import type { EvmScheme } from '../evm-scheme.ts'
import { exactEip3009 } from '../exact-eip3009/eip3009.ts'
import { computeReceiveDigest } from '../exact-eip3009/eip3009-digest.ts'
import { evaluateAuthorization } from '../shared/authorization-logs.ts'
import { createSellerRequest } from '../shared/seller-request.ts'
import { withUsualParity } from '../shared/signature-parity.ts'
import {
  batchSettlementAddress,
  channelRead,
  depositCollectorAddress,
  encodeAuthorizedDeposit,
  encodeOperation,
  findPaidOut,
  hasClaimed,
  isClaimCall,
  isPayoutCall,
} from './channel-contracts.ts'
import { channelReasons } from './channel-reasons.ts'
import { commitChannels } from './channel-store.ts'
import type {
  AuthorizedDeposit,
  ChannelDeposit,
  ChannelOperation,
  Claim,
  VoucherAction,
} from './channel-terms.ts'
import { createChannelVerifier } from './channel-verifier.ts'
import { prepareDeposit, prepareOperation } from './channels.ts'

const depositReasons: MethodReasons = {
  signature: channelReasons.depositSignature,
  nonceUsed: reasons.nonceUsed,
  validAfter: channelReasons.validAfter,
  validBefore: channelReasons.validBefore,
  simulationFailed: channelReasons.depositSimulationFailed,
}

/** What all requests of channels have in common. */
const channel = {
  name: 'batch-settlement',
  namespace: 'eip155',
  openVerifier: createChannelVerifier,
} as const

/**
 * What deposits have in common. The voucher pays for the request and belongs to its terms. Otherwise a deposit whose
 * success was not delivered could be presented again with a worthless voucher, or as a deposit into another channel
 * of a contract wallet that accepts every signature.
 */
export const channelDeposit = {
  ...channel,
  // The contract of the channels compares its own balances when it receives a deposit.
  hasDelivery: false,
  isClaimable: true,
  listTerms: ({ voucher: { channelId, maximum, signature } }: ChannelDeposit) => [
    channelId,
    maximum.toString(),
    signature,
  ],
  listKinds: () => [],
  prepareSettle: prepareDeposit,
  commit: commitChannels,
} as const

/**
 * Deposits into a channel by EIP-3009. The collector takes the signed amount, for the channel of which the
 * nonce is a hash, and passes it on to x402's contract. Both transfers are the deposit: the payer can also
 * use the nonce for a plain transfer to the collector, which deposits nothing.
 */
export const authorizedDeposit: EvmScheme<AuthorizedDeposit> = {
  ...exactEip3009,
  ...channelDeposit,
  // The contract may be entered once in a transaction.
  encodeShared: () => undefined,
  reasons: depositReasons,
  computeDigest: (payment) => computeReceiveDigest(payment, depositCollectorAddress),
  encodeTransfer: (payment, signature, signedByKey) =>
    // The bytes of a contract's signature are its own.
    encodeAuthorizedDeposit(payment, signedByKey ? withUsualParity(signature) : signature),
  evaluateLogs: evaluateDeposit,
  // The calls inside the deposit are the contracts'.
  hasMadePayment: async () => undefined,
  toRefusalReason(error) {
    const reason = exactEip3009.toRefusalReason(error)
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

const operationReasons: MethodReasons = {
  signature: channelReasons.voucherSignature,
  // The chain has no nonce of an operation, so that no revert has this reason.
  nonceUsed: channelReasons.nothingToSettle,
  validAfter: channelReasons.validAfter,
  validBefore: channelReasons.validBefore,
  simulationFailed: channelReasons.claimSimulationFailed,
}

/** Enough for the signatures and storage of an operation without claims. */
const OPERATION_GAS = 300_000n
/** Enough for the signature, the storage and the data of one more channel. */
const CLAIM_GAS = 60_000n
/**
 * Enough for a payout or a refund to a wallet without tokens, and the least gas limit: on the state of a lagging node
 * nothing may be due, so that it estimates less than a transfer needs.
 */
const TRANSFER_GAS = 150_000n

/**
 * Claims, refunds and payouts of channels. A repeated one changes nothing on the chain. Anyone can pay out a
 * seller, or send signed claims. If another party is first, our transaction succeeds and changes nothing.
 */
export const channelOperation: EvmScheme<ChannelOperation> = {
  ...channel,
  ...createSellerRequest<ChannelOperation>({
    encode: encodeOperation,
    getGas: (details) => ({
      least: OPERATION_GAS,
      more: CLAIM_GAS * BigInt(listClaims(details).length),
      floor: details.kind === 'claim' ? 0n : TRANSFER_GAS,
    }),
    readNonce: channelRead,
    failed: operationReasons.simulationFailed,
    settleOnly: {
      reason: channelReasons.payloadType,
      message: 'Claims, payouts and signed refunds are settled without a verify',
    },
  }),
  domain: batchSettlementAddress,
  method: 'channel',
  listTerms: () => [],
  listPayers: (details) => listClaims(details).map(({ config }) => config.payer),
  prepareSettle: prepareOperation,
  commit: commitChannels,
  reasons: operationReasons,
  findMissingEffect,
  toRefusalReason: () => operationReasons.simulationFailed,
}

/** Lists the claims of an operation. A payout has none. */
const listClaims = (operation: ChannelOperation): readonly Claim[] =>
  operation.kind === 'settle' ? [] : (operation.signed?.claims ?? [])

function findMissingEffect(logs: readonly Log[], payment: PaymentOnChain, input: string): string | undefined {
  if (isPayoutCall(input))
    return findPaidOut(logs, payment) === undefined ? channelReasons.nothingToSettle : undefined
  // A refund uses its nonce, whatever it claims.
  return isClaimCall(input) && !hasClaimed(logs) ? channelReasons.belowClaimed : undefined
}

/** Vouchers, which pay for a request without a transaction. */
export const channelVoucher: ServedScheme<VoucherAction> & Pick<EvmScheme, 'openVerifier'> = {
  ...channel,
  domain: batchSettlementAddress,
  method: 'channel',
  listTerms: () => [],
  // The seller's own key signs claims and refunds, so that there is no `receiverAuthorizer`.
  listKinds: (network, { facilitatorAddress, isReadable }) =>
    facilitatorAddress !== undefined && isReadable ? [{ x402Version: 2, scheme: channel.name, network }] : [],
  isVerifiedOnly: true,
  isRepeatable: true,
  revertsCountFor: 'account',
  prepareSettle: async () => VERIFIED_ONLY,
}

const VERIFIED_ONLY = {
  ok: false,
  reason: channelReasons.payloadType,
  message: 'A voucher is verified, not settled. Settle a claim instead',
} as const
