import type { RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { numberToHex } from 'viem'
import { createInquire, type Inquire } from '../../../chains/evm/reads/inquiries.ts'
import { readSimulated, toSimulatedCall } from '../../../chains/evm/reads/simulated-calls.ts'
import { encodeSignatureCheck, hasNoCode, isAccepted } from '../../../chains/evm/reads/token-reads.ts'
import { WALLET_GAS } from '../../../chains/evm/settings/gas-caps.ts'
import { recover } from '../../../chains/evm/signatures/recovery.ts'
import type { Payment, PaymentVerifier, VerificationOutcome } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { VerifierParts } from '../evm-scheme.ts'
import { createEip3009Checks } from '../exact-eip3009/eip3009-checks.ts'
import type { MethodChecks } from '../shared/method-checks.ts'
import { createSchemeVerifier, invalid } from '../shared/scheme-verifier.ts'
import {
  encodeOperation,
  OPERATION_GAS,
  parseBalances,
  refundCollectorRead,
  stateRead,
  toEscrowReason,
} from './escrow-contracts.ts'
import { computeChargeDigest, computeOperationDigest, hashInfo } from './escrow-digests.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { Charge, Collect, EscrowAction, EscrowOperation, Refund } from './escrow-terms.ts'

/** A capture or a refund may not be mined in time if its deadline is nearer. */
const MARGIN_SECONDS = 6n

/** The longest time for which a signer must keep its key for a payment. */
const MAX_HOLD_SECONDS = 90n * 86_400n

/** Creates the checks of one chain's payments: those of EIP-3009, and that the escrow can take the payment. */
export function createCollectChecks(now: () => number): MethodChecks<Collect> {
  const token = createEip3009Checks(now)
  return {
    plan(payment) {
      const planned = token.plan(payment)
      return {
        reads: [stateRead(hashInfo(payment.details.info, payment.chainId)), ...planned.reads],
        evaluate([state, ...results]) {
          if (state === undefined) throw new Error('The chain returned fewer results than were requested')
          const evaluated = planned.evaluate(results)
          return hasNoCode(state) ? { ...evaluated, contractProblem: NO_ESCROW } : evaluated
        },
      }
    },
  }
}

/** Creates the verification of payments, and of what sellers request of them. */
export function createAuthCaptureVerifier(options: VerifierParts): PaymentVerifier {
  return createSchemeVerifier<EscrowAction, Inquire>(
    options,
    createInquire,
    async (inquire, payment, simulate) => {
      const { details } = payment
      const seconds = BigInt(Math.floor(options.now() / 1000))
      if (details.kind === 'authorize' || details.kind === 'charge') {
        const problem = await findChargeProblem(inquire, { ...payment, details })
        return problem === undefined
          ? verifyCollect(options, { payment, details, seconds, simulate })
          : invalid(payment, problem)
      }
      const problem = await findOperationProblem(inquire, { payment, details, seconds })
      return problem === undefined ? { isValid: true, payer: payment.payer } : invalid(payment, problem)
    },
  )
}

/** @param verified.simulate Whether the payment is verified before the seller works. */
async function verifyCollect(
  { transfers }: VerifierParts,
  verified: { payment: Payment; details: Collect; seconds: bigint; simulate: boolean },
): Promise<VerificationOutcome> {
  const { payment, details, seconds, simulate } = verified
  const { authorizationExpiry, refundExpiry, maxAmount } = details.info
  if (authorizationExpiry <= seconds + MARGIN_SECONDS) return invalid(payment, CAPTURE_DEADLINE)
  if (refundExpiry > seconds + MAX_HOLD_SECONDS) return invalid(payment, TOO_LONG)
  // When it is settled, a part of the time has passed, and only what was signed matters.
  if (simulate && authorizationExpiry < seconds + BigInt(Math.ceil(payment.maxTimeoutSeconds)))
    return invalid(payment, DEADLINE_ORDERING)
  // The token moves the signed maximum, of which the payer gets back what is not charged.
  const outcome = await transfers.verify({ ...payment, amount: maxAmount }, { simulate })
  if (outcome.isValid) return outcome
  const invalidReason = tokenReasons.get(outcome.invalidReason) ?? outcome.invalidReason
  return { ...outcome, invalidReason }
}

/** What the checks of every transfer find, as the scheme names it. */
const tokenReasons: ReadonlyMap<string, string> = new Map([
  [reasons.nonceUsed, escrowReasons.alreadyCollected],
  [reasons.insufficientFunds, escrowReasons.insufficientBalance],
])

/** Checks that the seller has signed the amount of a charge. Before the seller works, there is no amount to sign. */
async function findChargeProblem(inquire: Inquire, payment: Payment<Collect>): Promise<Problem | undefined> {
  if (!isCompletedCharge(payment)) return undefined
  const { authorizer, authorizerSignature } = payment.details
  const calls = await planSignatureCheck(authorizer, authorizerSignature, computeChargeDigest(payment))
  const outcomes = await inquire({ reads: [], calls })
  return isSigned(outcomes.calls) ? undefined : BAD_AUTHORIZER
}

const isCompletedCharge = (
  payment: Payment<Collect>,
): payment is Payment<Charge & Required<Pick<Charge, 'authorizerSignature'>>> =>
  payment.details.kind === 'charge' && payment.details.authorizerSignature !== undefined

/** Plans the call of an authorizer that is a contract (ERC-1271). Empty if the key of the authorizer has signed. */
async function planSignatureCheck(
  authorizer: string,
  signature: string,
  digest: string,
): Promise<readonly RpcCall[]> {
  if ((await recover(Buffer.from(digest, 'hex'), signature)) === authorizer) return []
  const check = { recipient: authorizer, data: encodeSignatureCheck(digest, signature) }
  return [toSimulatedCall(undefined, check, WALLET_GAS)]
}

const isSigned = (outcomes: readonly RpcOutcome[]): boolean =>
  outcomes.map(readSimulated).every((checked) => checked.succeeded && isAccepted(checked.returned))

/** Finds out why an operation would fail, or was not requested by the seller. */
async function findOperationProblem(
  inquire: Inquire,
  verified: { payment: Payment; details: EscrowOperation; seconds: bigint },
): Promise<Problem | undefined> {
  const { payment, details: operation, seconds } = verified
  const { info, authorizer, signature } = operation
  if (operation.kind === 'capture' && info.authorizationExpiry <= seconds + MARGIN_SECONDS)
    return CAPTURE_DEADLINE
  if (operation.kind === 'refund' && info.refundExpiry <= seconds + MARGIN_SECONDS) return REFUND_DEADLINE
  const digest = computeOperationDigest(operation, payment.chainId)
  const { reads, calls } = await inquire({
    reads: [stateRead(hashInfo(info, payment.chainId))],
    calls: await planSignatureCheck(authorizer, signature, digest),
  })
  if (!isSigned(calls)) return BAD_AUTHORIZER
  const { capturable, refundable } = parseBalances(reads[0])
  if (operation.kind === 'void') return capturable === 0n ? NOTHING_HELD : undefined
  // The amount is at most what is expected.
  const { expected } = operation
  if (capturable !== expected.capturable || refundable !== expected.refundable) return OTHER_STATE
  return operation.kind === 'refund' ? findRefundProblem(inquire, operation) : undefined
}

/** Finds out whether the chain executes a refund: the collector exists, and the wallet that pays has signed and can pay. */
async function findRefundProblem(inquire: Inquire, operation: Refund): Promise<Problem | undefined> {
  const { recipient: to, data } = encodeOperation(operation)
  const transaction = { from: operation.info.operator, to, data, gas: numberToHex(OPERATION_GAS) }
  const { reads, calls } = await inquire({
    reads: [refundCollectorRead],
    calls: [{ method: 'eth_call', params: [transaction, 'latest'] }],
  })
  if (reads[0]?.data === '') return NO_COLLECTOR
  const simulated = readSimulated(calls[0])
  if (simulated.succeeded) return undefined
  return { reason: toEscrowReason(simulated.error), message: 'The chain refuses the refund' }
}

const NO_ESCROW: Problem = {
  reason: escrowReasons.simulationFailed,
  message: 'The chain has no escrow of the scheme auth-capture',
}
const CAPTURE_DEADLINE: Problem = {
  reason: escrowReasons.captureDeadline,
  message: 'The deadline of captures has passed or is about to pass',
}
const TOO_LONG: Problem = {
  reason: escrowReasons.extra,
  message: 'The refundDeadline is more than 90 days from now',
}
const DEADLINE_ORDERING: Problem = {
  reason: escrowReasons.deadlineOrdering,
  message: 'The captureDeadline is sooner than maxTimeoutSeconds',
}
const BAD_AUTHORIZER: Problem = {
  reason: escrowReasons.authorizerSignature,
  message: 'The signature is not that of extra.receiverAuthorizer',
}
const REFUND_DEADLINE: Problem = {
  reason: escrowReasons.refundDeadline,
  message: 'The deadline of refunds has passed or is about to pass',
}
const NO_COLLECTOR: Problem = {
  reason: escrowReasons.refundUnavailable,
  message: 'The chain has no collector of refunds. Ask the operator to deploy it',
}
const NOTHING_HELD: Problem = {
  reason: escrowReasons.zeroAuthorization,
  message: 'The escrow holds nothing of the payment',
}
const OTHER_STATE: Problem = {
  reason: escrowReasons.unexpectedState,
  message: 'The escrow holds another amount than the signature expects. Sign for what it holds',
}
