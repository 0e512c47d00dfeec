import { type Chain, type Chains, removeAddress } from '@mintmark/evm-reader'
import {
  type DeliveryOutcome,
  readDeliveries,
  SHORT_DELIVERY,
  toDeliveryCall,
} from '../../../chains/evm/reads/delivery.ts'
import { type FindSender, NotSimulatedError } from '../../../chains/evm/reads/simulated-calls.ts'
import {
  type AllowedAssets,
  type AllowedFactories,
  assetKey,
} from '../../../chains/evm/settings/allowed-assets.ts'
import { DEFAULT_GAS_CAPS, type GasCaps } from '../../../chains/evm/settings/gas-caps.ts'
import { recover } from '../../../chains/evm/signatures/recovery.ts'
import { unwrapSignature } from '../../../chains/evm/signatures/wrapped-signature.ts'
import type { EvmPayment } from '../../../chains/evm/transactions/execution.ts'
import type { PaymentVerifier, VerificationOutcome } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { EvmSchemePayment } from '../evm-scheme.ts'
import { createReadPaymentState, type ReadPaymentState } from './payment-state.ts'
import {
  type ExecutionLimits,
  findSignatureProblem,
  findTransferProblem,
  getDeliveryGas,
  planCalls,
  planDelivery,
  readParts,
  type SignedTransfer,
  toNodeCalls,
} from './transfer-check.ts'

export interface VerifierOptions {
  chains: Chains
  allowedAssets: AllowedAssets
  /** Networks outside `chains` that are served without reading their chain (`UNREADABLE_NETWORKS`). */
  unreadableNetworks?: ReadonlySet<string>
  /** The contracts that may deploy payers' wallets (ERC-6492). Default: none. */
  walletFactories?: AllowedFactories
  gasCaps?: GasCaps
  /**
   * Finds who would send a settlement. Default: the node's default sender, for an upstream that is another
   * facilitator.
   */
  findSender?: FindSender
  /**
   * Finds out why a payment's signed approval transaction would not be executed. Undefined if it would. Given
   * where we broadcast them. Throws an Error if the chain or the database cannot be read.
   */
  checkApproval?(payment: EvmPayment): Promise<Problem | undefined>
  /** The most seconds from now to `validBefore`. Default 86,400, a day. */
  maxValidity?: number
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number
  /** Receives the error if a chain cannot be read. The caller of the verify does not see it. */
  report?: (error: unknown) => void
}

/** A payment that expires in fewer seconds may not be mined in time. */
const SETTLE_MARGIN_SECONDS = 6n

/** A chain of a verifier. */
interface VerifyingChain {
  readonly chain: Chain
  readonly readState: ReadPaymentState
  readonly limits: ExecutionLimits
  readonly findSender: FindSender | undefined
  readonly checkApproval: VerifierOptions['checkApproval']
}

/**
 * Creates our own verification, with cheap checks first. The state of the payment and the outcome of the
 * transfer are read from the newest block each time, in one request. Only the token's domain is cached.
 */
export function createVerifier(options: VerifierOptions): PaymentVerifier {
  const { chains, allowedAssets, unreadableNetworks, now = Date.now, report = () => {} } = options
  const maxValidity = BigInt(options.maxValidity ?? 86_400)
  const verifying = new Map(chains.all.map((chain) => [chain.network, openVerifyingChain(chain, options)]))

  return {
    async verify(payment: EvmSchemePayment, { simulate = false } = {}) {
      const on = verifying.get(payment.network)
      if (on === undefined && !unreadableNetworks?.has(payment.network)) {
        return invalid(payment, reasons.invalidNetwork, `The network ${payment.network} is not served`)
      }
      if (!allowedAssets.has(assetKey(payment.network, payment.asset))) {
        return invalid(payment, reasons.invalidRequirements, 'The asset is not among the accepted assets')
      }
      const invalidTime = checkTimes(payment, BigInt(Math.floor(now() / 1000)), maxValidity)
      if (invalidTime) return invalidTime

      const signed = await readSignature(payment)
      if (signed === undefined) return badSignature(payment)
      if (on === undefined) {
        const isPlain = signed.signedByKey && signed.unwrapped.deployment === undefined
        return isPlain ? valid(payment) : badSignature(payment)
      }
      try {
        return await verifyOnChain(on, signed, simulate)
      } catch (error) {
        report(removeAddress(error))
        return invalid(payment, reasons.verifyError, 'The chain could not be read')
      }
    },
  }
}

function openVerifyingChain(chain: Chain, options: VerifierOptions): VerifyingChain {
  const {
    walletFactories = new Set(),
    gasCaps = DEFAULT_GAS_CAPS,
    findSender,
    checkApproval,
    now = Date.now,
  } = options
  return {
    chain,
    readState: createReadPaymentState(chain, now),
    limits: { walletFactories, gasCaps },
    findSender,
    checkApproval,
  }
}

function checkTimes(
  payment: EvmSchemePayment,
  seconds: bigint,
  maxValidity: bigint,
): VerificationOutcome | undefined {
  const { validBefore, validAfter } = payment.scheme.reasons
  // Says the own time: one of two clocks may be wrong, or a sandbox's clock was moved forward.
  const clock = () => `The facilitator's clock says ${new Date(Number(seconds) * 1000).toISOString()}`
  if (payment.validBefore < seconds + SETTLE_MARGIN_SECONDS) {
    return invalid(payment, validBefore, `The authorization has expired or is about to expire. ${clock()}`)
  }
  if (payment.validAfter > seconds) {
    return invalid(payment, validAfter, `The authorization is not valid yet. ${clock()}`)
  }
  // Until then, an unused nonce proves nothing, and the price of an unknown outcome stays held.
  if (payment.validBefore > seconds + maxValidity) {
    const message = `The authorization is valid for more than ${maxValidity} seconds. Sign one that ends sooner`
    return invalid(payment, validBefore, message)
  }
  return undefined
}

/** Recovers who signed. Undefined if the signature is malformed. */
async function readSignature(payment: EvmSchemePayment): Promise<SignedTransfer | undefined> {
  const unwrapped = unwrapSignature(payment.signature)
  if (unwrapped === undefined) return undefined
  const { scheme } = payment
  const digest = scheme.computeDigest(payment)
  const signer = await recover(digest, scheme.toKeySignature(unwrapped.signature))
  const signedByKey = signer === payment.payer
  return { payment, digest: digest.toString('hex'), unwrapped, signedByKey }
}

/**
 * Verifies a payment on its chain, and again with new fees and another sender if the node did not accept
 * these.
 */
async function verifyOnChain(
  on: VerifyingChain,
  signed: SignedTransfer,
  simulate: boolean,
): Promise<VerificationOutcome> {
  try {
    return await verifyOnce(on, signed, simulate, false)
  } catch (error) {
    if (error instanceof NotSimulatedError && error.dependsOnSender)
      return verifyOnce(on, signed, simulate, true)
    throw error
  }
}

async function verifyOnce(
  on: VerifyingChain,
  signed: SignedTransfer,
  simulate: boolean,
  refreshSender: boolean,
): Promise<VerificationOutcome> {
  const { payment } = signed
  const planned = planCalls(signed, on.limits, simulate)
  const sender =
    planned.length > 0
      ? await on.findSender?.(payment.network, {
          refresh: refreshSender,
          address: payment.scheme.getOnlySender?.(payment),
        })
      : undefined
  if (planned.length > 0 && on.findSender !== undefined && sender === undefined) {
    return invalid(payment, reasons.verifyError, 'The facilitator cannot pay for gas now. Retry later')
  }
  const readAt = performance.now()
  const delivery = simulate && payment.scheme.hasDelivery ? planDelivery(signed, planned) : undefined
  const calls = toNodeCalls(planned, sender)
  const deliveryCalls = delivery ? [toDeliveryCall([delivery], getDeliveryGas(on.limits))] : []
  const { state, outcomes } = await on.readState(payment, [...calls, ...deliveryCalls])
  const { contractProblem, payerProblem, needsApproval, allowance, balance, block } = state
  if (contractProblem) return invalid(payment, contractProblem.reason, contractProblem.message)
  const parts = readParts(planned, outcomes, sender)
  const signatureProblem = findSignatureProblem(signed, parts, needsApproval)
  if (signatureProblem) return invalid(payment, signatureProblem.reason, signatureProblem.message)
  if (payerProblem) return invalid(payment, payerProblem.reason, payerProblem.message)
  const funds = { balance, ...(allowance !== undefined && { allowance }), block, readAt }
  const funded = { ...valid(payment), funds }
  if (needsApproval && on.checkApproval !== undefined) {
    // Without the approval, the simulated transfer has failed. It is simulated when the approval is mined.
    const problem = await on.checkApproval(payment)
    return problem === undefined ? funded : invalid(payment, problem.reason, problem.message)
  }
  const problem = await findTransferProblem(signed, on.limits, parts, async (more) =>
    readParts(more, await on.chain.requestEach(toNodeCalls(more, sender)), sender),
  )
  if (problem) return invalid(payment, problem.reason, problem.message)
  const [delivered] = delivery ? readDeliveries([delivery], outcomes[calls.length]) : []
  const shortage = delivered && findDeliveryProblem(payment, delivered)
  return shortage ? invalid(payment, shortage.reason, shortage.message) : funded
}

const valid = ({ payer }: EvmSchemePayment) => ({ isValid: true, payer }) as const
const badSignature = (payment: EvmSchemePayment): VerificationOutcome =>
  invalid(payment, payment.scheme.reasons.signature, "The signature is not the payer's")

function invalid(
  { payer }: EvmSchemePayment,
  invalidReason: string,
  invalidMessage: string,
): VerificationOutcome {
  return { isValid: false, invalidReason, invalidMessage, payer }
}

/** Explains the refusal of a payment that is not delivered. Undefined if it is. */
function findDeliveryProblem(payment: EvmSchemePayment, outcome: DeliveryOutcome): Problem | undefined {
  if (outcome === 'complete' || outcome === 'unknown') return undefined
  return outcome === 'short'
    ? SHORT_DELIVERY
    : {
        reason: payment.scheme.reasons.simulationFailed,
        message: 'Two simulations of the transfer had different results',
      }
}
