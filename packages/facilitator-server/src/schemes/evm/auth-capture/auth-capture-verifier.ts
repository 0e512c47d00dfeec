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
import { parseBalances, stateRead } from './escrow-contracts.ts'
import { computeOperationDigest, hashInfo } from './escrow-digests.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { Authorize, EscrowAction, EscrowOperation } from './escrow-terms.ts'

/** A capture may not be mined in time if its deadline is nearer. */
const MARGIN_SECONDS = 6n

/** The longest time for which a signer must keep its key for a payment: 90 days. */
const MAX_HOLD_SECONDS = 90n * 86_400n

/** Creates the checks of one chain's authorizations: those of EIP-3009, and that the escrow can take the payment. */
export function createAuthorizeChecks(now: () => number): MethodChecks<Authorize> {
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

/** Creates the verification of authorizations, captures and voids. */
export function createAuthCaptureVerifier(options: VerifierParts): PaymentVerifier {
  return createSchemeVerifier<EscrowAction, Inquire>(
    options,
    createInquire,
    async (inquire, payment, simulate) => {
      const { details } = payment
      const seconds = BigInt(Math.floor(options.now() / 1000))
      if (details.kind === 'authorize')
        return verifyAuthorize(options, { payment, details, seconds, simulate })
      const problem = await findOperationProblem(inquire, { payment, details, seconds })
      return problem === undefined ? { isValid: true, payer: payment.payer } : invalid(payment, problem)
    },
  )
}

/** @param verified.simulate Whether the payment is verified before the seller works. */
async function verifyAuthorize(
  { transfers }: VerifierParts,
  verified: { payment: Payment; details: Authorize; seconds: bigint; simulate: boolean },
): Promise<VerificationOutcome> {
  const { payment, details, seconds, simulate } = verified
  const { authorizationExpiry } = details.info
  if (authorizationExpiry <= seconds + MARGIN_SECONDS) return invalid(payment, CAPTURE_DEADLINE)
  if (authorizationExpiry > seconds + MAX_HOLD_SECONDS) return invalid(payment, TOO_LONG)
  // When it is settled, a part of the time has passed, and only what was signed matters.
  if (simulate && authorizationExpiry < seconds + BigInt(Math.ceil(payment.maxTimeoutSeconds)))
    return invalid(payment, DEADLINE_ORDERING)
  const outcome = await transfers.verify(payment, { simulate })
  if (outcome.isValid) return outcome
  const invalidReason = tokenReasons.get(outcome.invalidReason) ?? outcome.invalidReason
  return { ...outcome, invalidReason }
}

/** What the checks of every transfer find, as the scheme names it. */
const tokenReasons: ReadonlyMap<string, string> = new Map([
  [reasons.nonceUsed, escrowReasons.alreadyCollected],
  [reasons.insufficientFunds, escrowReasons.insufficientBalance],
])

/** Finds out why a capture or a void would fail, or was not requested by the seller. */
async function findOperationProblem(
  inquire: Inquire,
  verified: { payment: Payment; details: EscrowOperation; seconds: bigint },
): Promise<Problem | undefined> {
  const { payment, details: operation, seconds } = verified
  const { info, authorizer, signature } = operation
  if (operation.kind === 'capture' && info.authorizationExpiry <= seconds + MARGIN_SECONDS)
    return CAPTURE_DEADLINE
  const digest = computeOperationDigest(operation, payment.chainId)
  const isSignedByKey = (await recover(Buffer.from(digest, 'hex'), signature)) === authorizer
  const check = { recipient: authorizer, data: encodeSignatureCheck(digest, signature) }
  const { reads, calls } = await inquire({
    reads: [stateRead(hashInfo(info, payment.chainId))],
    calls: isSignedByKey ? [] : [toSimulatedCall(undefined, check, WALLET_GAS)],
  })
  if (!isSignedByKey) {
    const checked = readSimulated(calls[0])
    if (!checked.succeeded || !isAccepted(checked.returned)) return BAD_AUTHORIZER
  }
  const { capturable, refundable } = parseBalances(reads[0])
  if (operation.kind === 'void') return capturable === 0n ? NOTHING_HELD : undefined
  // The amount is at most what is expected.
  const { expected } = operation
  return capturable === expected.capturable && refundable === expected.refundable ? undefined : OTHER_STATE
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
  message: 'The captureDeadline is more than 90 days from now',
}
const DEADLINE_ORDERING: Problem = {
  reason: escrowReasons.deadlineOrdering,
  message: 'The captureDeadline is sooner than maxTimeoutSeconds',
}
const BAD_AUTHORIZER: Problem = {
  reason: escrowReasons.authorizerSignature,
  message: 'The signature is not that of extra.receiverAuthorizer',
}
const NOTHING_HELD: Problem = {
  reason: escrowReasons.zeroAuthorization,
  message: 'The escrow holds nothing of the payment',
}
const OTHER_STATE: Problem = {
  reason: escrowReasons.unexpectedState,
  message: 'The escrow holds another amount than the signature expects. Sign for what it holds',
}
