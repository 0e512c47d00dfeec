import type { Log } from '../../../chains/evm/reads/transfer.ts'
import type { LogEvidence, MethodReasons } from '../../../chains/evm/reads/transfer-method.ts'
import { keepSigner } from '../../../chains/evm/transactions/nonce-store.ts'
import type { Payment, PaymentOnChain } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { EvmScheme } from '../evm-scheme.ts'
import { exactEip3009 } from '../exact-eip3009/eip3009.ts'
import { computeReceiveDigest } from '../exact-eip3009/eip3009-digest.ts'
import { evaluateAuthorization } from '../shared/authorization-logs.ts'
import { parseChainId } from '../shared/chain-id.ts'
import { createSellerRequest } from '../shared/seller-request.ts'
import { withUsualParity } from '../shared/signature-parity.ts'
import { createAuthCaptureVerifier, createAuthorizeChecks } from './auth-capture-verifier.ts'
import { collectorAddress, escrowAddress } from './escrow-addresses.ts'
import {
  encodeAuthorize,
  encodeOperation,
  findEscrowReason,
  hasOperated,
  listAuthorized,
  stateRead,
} from './escrow-contracts.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { Authorize, EscrowAction, EscrowOperation } from './escrow-terms.ts'
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
} as const

/**
 * Authorizations: the escrow takes the amount from the payer, by EIP-3009, and holds it for the seller. The nonce is
 * a hash of the payment with its receiver, its times, its operator and its authorizer, so that the payer has
 * signed all of them.
 */
export const authorizeScheme: EvmScheme<Authorize> = {
  ...exactEip3009,
  ...shared,
  listTerms: () => [],
  listKinds: (network, { facilitatorAddress, isReadable }) =>
    facilitatorAddress !== undefined && isReadable
      ? [{ x402Version: 2, scheme: shared.name, network, extra: { captureAuthorizer: facilitatorAddress } }]
      : [],
  openChecks: createAuthorizeChecks,
  // Only the operator may send it, so that it is not shared.
  encodeShared: () => undefined,
  // Nobody else can capture or void it.
  commit: (trx, { chainId }, { details: { info } }) =>
    keepSigner(trx, { chainId, signer: info.operator }, info.authorizationExpiry),
  computeDigest: (payment) => computeReceiveDigest(payment, collectorAddress),
  encodeTransfer: ({ details }, signature, signedByKey) =>
    // The bytes of a contract's signature are its own.
    encodeAuthorize(details.info, signedByKey ? withUsualParity(signature) : signature),
  evaluateLogs: evaluateAuthorized,
  // The logs decide.
  hasMadePayment: async () => undefined,
  toRefusalReason: (error) =>
    findEscrowReason(error) ??
    tokenRefusals.get(exactEip3009.toRefusalReason(error)) ??
    escrowReasons.simulationFailed,
}

/** Whether the escrow has authorized exactly the payment. Its event contains everything that the nonce is a hash of. */
function evaluateAuthorized(logs: readonly Log[], payment: PaymentOnChain, isOwn: boolean): LogEvidence {
  const isPaid = listAuthorized(logs, requireChainId(payment)).some(
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

const tokenRefusals: ReadonlyMap<string, string> = new Map([
  [reasons.nonceUsed, escrowReasons.alreadyCollected],
  [reasons.validAfter, escrowReasons.notYetValid],
  [reasons.validBefore, escrowReasons.expired],
  [reasons.insufficientFunds, escrowReasons.insufficientBalance],
  [reasons.signature, escrowReasons.signature],
])

/** Enough for the first payment of an operator, whose store of tokens the escrow creates. */
const OPERATION_GAS = 400_000n

/** Captures and voids. One transaction is signed for the nonce of each. */
export const operationScheme: EvmScheme<EscrowOperation> = {
  ...shared,
  ...createSellerRequest<EscrowOperation>({
    encode: ({ details }) => encodeOperation(details),
    getGas: () => ({ least: OPERATION_GAS }),
    readNonce: stateRead,
    failed: escrowReasons.simulationFailed,
    settleOnly: {
      reason: escrowReasons.payloadType,
      message: 'Captures and voids are settled without a verify',
    },
  }),
  domain: escrowAddress,
  method: 'escrow',
  listTerms: (operation) =>
    operation.kind === 'void' ? [operation.kind] : [operation.kind, operation.amount.toString()],
  prepareSettle: prepareOperation,
  commit: commitOperation,
  findMissingEffect: (logs, payment, input) =>
    hasOperated(logs, input, requireChainId(payment)) ? undefined : escrowReasons.simulationFailed,
  toRefusalReason: (error) => findEscrowReason(error) ?? escrowReasons.simulationFailed,
}
