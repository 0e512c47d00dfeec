import type { Log } from '../../../chains/evm/reads/transfer.ts'
import type { LogEvidence, MethodReasons } from '../../../chains/evm/reads/transfer-method.ts'
import { keepSigner } from '../../../chains/evm/transactions/nonce-store.ts'
import type { Payment, PaymentOnChain } from '../../../payment/payment.ts'
import type { PreparedPayment } from '../../scheme.ts'
import type { EvmScheme } from '../evm-scheme.ts'
import { exactEip3009 } from '../exact-eip3009/eip3009.ts'
import { computeReceiveDigest } from '../exact-eip3009/eip3009-digest.ts'
import { evaluateAuthorization } from '../shared/authorization-logs.ts'
import { parseChainId } from '../shared/chain-id.ts'
import { createSellerRequest } from '../shared/seller-request.ts'
import { withUsualParity } from '../shared/signature-parity.ts'
import { createAuthCaptureVerifier, createCollectChecks } from './auth-capture-verifier.ts'
import { collectorAddress, escrowAddress } from './escrow-addresses.ts'
import {
  encodeCollect,
  encodeOperation,
  hasOperated,
  isRefundCall,
  listCollected,
  OPERATION_GAS,
  stateRead,
  toEscrowReason,
} from './escrow-contracts.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { Collect, EscrowAction, EscrowOperation } from './escrow-terms.ts'
import { commitOperation, prepareOperation } from './prepare-operation.ts'

const methodReasons: MethodReasons = {
  signature: escrowReasons.signature,
  nonceUsed: escrowReasons.alreadyCollected,
  validAfter: escrowReasons.notYetValid,
  validBefore: escrowReasons.expired,
  simulationFailed: escrowReasons.simulationFailed,
}

/** What payments and the requests of sellers have in common. */
const shared = {
  name: 'auth-capture',
  namespace: 'eip155',
  hasDelivery: false,
  reasons: methodReasons,
  openVerifier: createAuthCaptureVerifier,
  // The escrow accepts the calls of a payment from its operator only.
  getOnlySender: ({ details }: Payment<EscrowAction>) => details.info.operator,
  isBoundToSender: ({ recipient }: { readonly recipient: string }) =>
    recipient.toLowerCase() === escrowAddress,
  toRefusalReason: toEscrowReason,
} as const

/**
 * Authorizations and charges: the escrow takes the amount from the payer, by EIP-3009, and holds it for the seller or
 * pays it at once. The nonce is a hash of the payment with its receiver, its times, its operator and its authorizer, so
 * that the payer has signed all of them.
 */
export const authorizeScheme: EvmScheme<Collect> = {
  ...exactEip3009,
  ...shared,
  // The seller charges what was used of the signed maximum.
  isMetered: true,
  listTerms: ({ kind }) => (kind === 'charge' ? [kind] : []),
  prepareSettle: async (_, payment) =>
    payment.details.kind === 'charge' && payment.details.authorizerSignature === undefined
      ? NOT_COMPLETED
      : { ok: true, payment },
  listKinds: (network, { facilitatorAddress, isReadable }) =>
    facilitatorAddress !== undefined && isReadable
      ? [{ x402Version: 2, scheme: shared.name, network, extra: { captureAuthorizer: facilitatorAddress } }]
      : [],
  openChecks: createCollectChecks,
  // Only the operator may send it, so that it is not shared.
  encodeShared: () => undefined,
  // Nobody else can capture, void or refund it.
  commit: (trx, { chainId }, { details: { info } }) =>
    keepSigner(trx, { chainId, signer: info.operator }, info.refundExpiry),
  computeDigest: (payment) =>
    computeReceiveDigest({ ...payment, amount: payment.details.info.maxAmount }, collectorAddress),
  encodeTransfer: ({ details, amount }, signature, signedByKey) =>
    // The bytes of a contract's signature are its own.
    encodeCollect(details, amount, signedByKey ? withUsualParity(signature) : signature),
  evaluateLogs: evaluateCollected,
  // The logs decide.
  hasMadePayment: async () => undefined,
}

const NOT_COMPLETED: PreparedPayment = {
  ok: false,
  reason: escrowReasons.payloadFormat,
  message: 'A charge is settled with its amount, feeAmount, feeReceiver and authorizerSignature',
}

/** Whether the escrow has collected exactly the payment. Its event contains everything that the nonce is a hash of. */
function evaluateCollected(logs: readonly Log[], payment: PaymentOnChain, isOwn: boolean): LogEvidence {
  const isPaid = listCollected(logs, requireChainId(payment)).some(
    ({ payer, nonce, amount }) =>
      payer === payment.payer && nonce === payment.nonce && amount === payment.amount,
  )
  if (isPaid) return 'paid'
  const evidence = evaluateAuthorization(logs, { ...payment, payTo: collectorAddress }, isOwn)
  return evidence.kind === 'absent' ? 'absent' : 'unpaid'
}

function requireChainId({ network }: Pick<PaymentOnChain, 'network'>): number {
  const chainId = parseChainId(network, 2)
  if (chainId === undefined) throw new Error(`${network} is no chain of the EVM`)
  return chainId
}

/** Captures, voids and refunds. One transaction is signed for the nonce of each. */
export const operationScheme: EvmScheme<EscrowOperation> = {
  ...shared,
  ...createSellerRequest<EscrowOperation>({
    encode: ({ details }) => encodeOperation(details),
    getGas: () => ({ least: OPERATION_GAS }),
    readNonce: stateRead,
    failed: escrowReasons.simulationFailed,
    settleOnly: {
      reason: escrowReasons.payloadType,
      message: 'Captures, voids and refunds are settled without a verify',
    },
  }),
  domain: escrowAddress,
  method: 'escrow',
  listTerms: listOperationTerms,
  prepareSettle: prepareOperation,
  commit: commitOperation,
  isRefund: ({ to, input }) => to?.toLowerCase() === escrowAddress && isRefundCall(input),
  findMissingEffect: (logs, payment, input) =>
    hasOperated(logs, input, requireChainId(payment)) ? undefined : escrowReasons.simulationFailed,
}

function listOperationTerms(operation: EscrowOperation): string[] {
  const { kind } = operation
  if (kind === 'void') return [kind]
  const terms = [kind, operation.amount.toString()]
  return kind === 'refund' ? [...terms, operation.funding.from] : terms
}
