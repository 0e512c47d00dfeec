import { getRevertReason, type RpcCall, type RpcError, type RpcOutcome } from '@mintmark/evm-reader'
import { DELIVERY_GAS, type Delivery } from '../../../chains/evm/reads/delivery.ts'
import { decodeResults, encodeReads, multicallAddress } from '../../../chains/evm/reads/multicall-reads.ts'
import {
  readSimulated,
  type Simulated,
  type SimulationSender,
  toSimulatedCall,
} from '../../../chains/evm/reads/simulated-calls.ts'
import { encodeSignatureCheck, hasNoCode, isAccepted } from '../../../chains/evm/reads/token-reads.ts'
import {
  type ContractCall,
  encodeDeploymentAndTransfer,
  type WalletDeployment,
} from '../../../chains/evm/reads/transfer.ts'
import { type AllowedFactories, assetKey } from '../../../chains/evm/settings/allowed-assets.ts'
import { type GasCaps, WALLET_GAS, withoutGasReserve } from '../../../chains/evm/settings/gas-caps.ts'
import type { UnwrappedSignature } from '../../../chains/evm/signatures/wrapped-signature.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { EvmSchemePayment } from '../evm-scheme.ts'

/** A payment with what its signature says. */
export interface SignedTransfer {
  readonly payment: EvmSchemePayment
  /** What was signed, hex digits without 0x. */
  readonly digest: string
  readonly unwrapped: UnwrappedSignature
  /** Whether the payer's key has signed. The token may call the payer's code all the same. */
  readonly signedByKey: boolean
}

/** The operator's limits of what a settlement executes. */
export interface ExecutionLimits {
  readonly gasCaps: GasCaps
  readonly walletFactories: AllowedFactories
}

/** `deployment` deploys the payer's wallet and transfers. `transfer` is without a deployment. */
type Part = 'transfer' | 'signature' | 'deployment'

/** A call that is simulated. */
export interface PlannedCall {
  readonly part: Part
  readonly call: ContractCall
  readonly gas: bigint
}

export type Parts = Partial<Record<Part, Simulated>>

const toBadSignature = ({ payment }: SignedTransfer): Problem => ({
  reason: payment.scheme.reasons.signature,
  message: "The signature is not the payer's",
})

/**
 * Lists the calls that decide whether a settlement would execute the transfer. They do not depend on each
 * other, so they are executed at once. The transfer has the gas cap of payers with code, because only the
 * chain knows whether the payer has code.
 *
 * @param simulate Whether to simulate a transfer whose signature can be verified without it.
 */
export function planCalls(signed: SignedTransfer, limits: ExecutionLimits, simulate: boolean): PlannedCall[] {
  const { payment, unwrapped, signedByKey } = signed
  const { contract, deployment: deploymentCap } = limits.gasCaps
  const transfer = payment.scheme.encodeTransfer(payment, unwrapped.signature, signedByKey)
  const planned: PlannedCall[] = []
  if (simulate) planned.push({ part: 'transfer', call: transfer, gas: withoutGasReserve(contract) })
  if (signedByKey) return planned
  planned.push(planSignatureCheck(signed))
  const { deployment } = unwrapped
  if (deployment !== undefined && canDeploy(payment) && isAllowed(payment, deployment, limits)) {
    const call = encodeDeploymentAndTransfer(deployment, transfer)
    planned.push({ part: 'deployment', call, gas: withoutGasReserve(deploymentCap) })
  }
  return planned
}

/** Plans the measurement of what the recipient receives, by a call that executes the transfer in every case. */
export function planDelivery(
  { payment, ...signed }: SignedTransfer,
  planned: readonly PlannedCall[],
): Delivery {
  const deployment = planned.find(({ part }) => part === 'deployment')
  const { unwrapped, signedByKey } = signed
  // A deployment that fails leaves the transfer as it is.
  const transfer =
    deployment?.call ?? payment.scheme.encodeTransfer(payment, unwrapped.signature, signedByKey)
  return { payment, transfer, onlySender: payment.scheme.getOnlySender?.(payment) }
}

/** The most gas of the measurement: what any settlement may use. */
export function getDeliveryGas({ gasCaps: { key, contract, deployment } }: ExecutionLimits): bigint {
  const [most = key] = [key, contract, deployment].toSorted((a, b) => (a < b ? 1 : -1))
  return most + DELIVERY_GAS
}

function planSignatureCheck({ payment, digest, unwrapped }: SignedTransfer): PlannedCall {
  const call = { recipient: payment.payer, data: encodeSignatureCheck(digest, unwrapped.signature) }
  return { part: 'signature', call, gas: WALLET_GAS }
}

/**
 * A deployment and a transfer in one transaction are sent by Multicall3, which cannot be the signed
 * facilitator.
 */
const canDeploy = (payment: EvmSchemePayment): boolean =>
  payment.scheme.getOnlySender?.(payment) === undefined

const isAllowed = (
  payment: EvmSchemePayment,
  { factory }: WalletDeployment,
  limits: ExecutionLimits,
): boolean => limits.walletFactories.has(assetKey(payment.network, factory))

export const toNodeCalls = (
  planned: readonly PlannedCall[],
  sender: SimulationSender | undefined,
): RpcCall[] => planned.map(({ call, gas }) => toSimulatedCall(sender, call, gas))

/** @throws Error if the node did not execute a call, or the sender cannot pay for enough gas. */
export function readParts(
  planned: readonly PlannedCall[],
  outcomes: readonly RpcOutcome[],
  sender: SimulationSender | undefined,
): Parts {
  const parts: Parts = {}
  for (const [index, { part, gas }] of planned.entries()) {
    const simulated = readSimulated(outcomes[index])
    if (!simulated.succeeded && sender !== undefined && sender.affordableGas < gas)
      throw new Error('No signer can pay for the gas of a simulated call')
    parts[part] = simulated
  }
  return parts
}

/**
 * Finds out whether the payer's contract refuses the signature. Undefined if a key has signed or the contract
 * does not exist yet.
 *
 * @param needsApproval Whether the payer's key must first send an approval. Such a payer has no contract that
 * could be deployed, and nothing else verifies its signature before the approval is sent.
 */
export function findSignatureProblem(
  signed: SignedTransfer,
  parts: Parts,
  needsApproval: boolean,
): Problem | undefined {
  const { signature, transfer } = parts
  if (signature === undefined) return undefined
  if (isWithoutCode(signature))
    return needsApproval || signed.unwrapped.deployment === undefined ? toBadSignature(signed) : undefined
  return transfer?.succeeded || isAcceptedBy(signature) ? undefined : toBadSignature(signed)
}

/** Executes further calls, to explain a refusal. */
export type SimulateMore = (planned: readonly PlannedCall[]) => Promise<Parts>

/**
 * Finds out why a settlement would not execute the transfer. Undefined if it would.
 *
 * @throws Error if the chain cannot be read.
 */
export async function findTransferProblem(
  signed: SignedTransfer,
  limits: ExecutionLimits,
  parts: Parts,
  simulateMore: SimulateMore,
): Promise<Problem | undefined> {
  const { signature, transfer } = parts
  if (signature !== undefined && isWithoutCode(signature)) {
    return findDeploymentProblem(signed, limits, parts, simulateMore)
  }
  if (transfer === undefined || transfer.succeeded) return undefined
  const problem = toProblem(signed, transfer.error)
  const { simulationFailed, signature: badSignature } = signed.payment.scheme.reasons
  const isAboutCode = problem.reason === simulationFailed || problem.reason === badSignature
  if (signed.signedByKey && isAboutCode) return explainKeyTransfer(signed, limits, problem, simulateMore)
  return isAcceptedBy(signature) ? explainAccepted(signed, problem, limits) : problem
}

/** Explains the failed transfer of a payer whose contract accepts the signature, if it has more gas. */
function explainAccepted(
  { payment }: SignedTransfer,
  problem: Problem,
  { gasCaps }: ExecutionLimits,
): Problem {
  const { signature, simulationFailed } = payment.scheme.reasons
  if (problem.reason !== signature) return problem
  const message = `The payer's contract does not accept the signature within the gas cap of ${gasCaps.contract}`
  return { reason: simulationFailed, message }
}

/**
 * Explains the failed transfer of a payment that the payer's key has signed. The payer may have code that
 * refuses the signature (EIP-7702). If it has no code, the transfer may use more gas.
 */
async function explainKeyTransfer(
  signed: SignedTransfer,
  limits: ExecutionLimits,
  problem: Problem,
  simulateMore: SimulateMore,
): Promise<Problem | undefined> {
  const { payment, unwrapped } = signed
  const call = payment.scheme.encodeTransfer(payment, unwrapped.signature, true)
  const { signature, transfer } = await simulateMore([
    planSignatureCheck(signed),
    { part: 'transfer', call, gas: withoutGasReserve(limits.gasCaps.key) },
  ])
  if (signature !== undefined && isWithoutCode(signature)) return transfer?.succeeded ? undefined : problem
  return isAcceptedBy(signature) ? explainAccepted(signed, problem, limits) : toBadSignature(signed)
}

async function findDeploymentProblem(
  signed: SignedTransfer,
  limits: ExecutionLimits,
  { deployment: simulated }: Parts,
  simulateMore: SimulateMore,
): Promise<Problem | undefined> {
  const { payment, digest, unwrapped } = signed
  const { signature, deployment } = unwrapped
  if (deployment === undefined) return toBadSignature(signed)
  if (!canDeploy(payment)) {
    const message = `The payer's wallet does not exist. The scheme ${payment.scheme.name} does not deploy wallets`
    return { reason: reasons.deploymentFailed, message }
  }
  if (simulated === undefined) {
    const message = `The payer's wallet does not exist, and its factory ${deployment.factory} is not accepted`
    return { reason: reasons.factoryNotAllowed, message }
  }
  if (simulated.succeeded) return undefined
  const transfer = payment.scheme.encodeTransfer(payment, signature, false)
  const steps = [
    { target: deployment.factory, data: deployment.data.slice(2) },
    { target: payment.payer, data: encodeSignatureCheck(digest, signature).slice(2) },
    { target: transfer.recipient, data: transfer.data.slice(2) },
  ]
  const call = { recipient: multicallAddress, data: encodeReads(steps) }
  const gas = withoutGasReserve(limits.gasCaps.deployment)
  const { deployment: stepwise } = await simulateMore([{ part: 'deployment', call, gas }])
  if (!stepwise?.succeeded) return toProblem(signed, simulated.error)
  const [deployed, checked, transferred] = decodeResults(stepwise.returned, steps.length)
  if (!deployed?.success || !checked || hasNoCode(checked)) {
    return { reason: reasons.deploymentFailed, message: "The factory does not deploy the payer's wallet" }
  }
  if (!checked.success || !isAccepted(`0x${checked.data}`)) return toBadSignature(signed)
  const { message } = simulated.error
  return toProblem(signed, { code: 3, message, data: `0x${transferred?.success ? '' : transferred?.data}` })
}

const isWithoutCode = (simulated: Simulated): boolean => simulated.succeeded && simulated.returned === '0x'
const isAcceptedBy = (simulated: Simulated | undefined): boolean =>
  simulated?.succeeded === true && isAccepted(simulated.returned)

function toProblem({ payment }: SignedTransfer, error: RpcError): Problem {
  const reason = payment.scheme.toRefusalReason(error)
  return { reason, message: `The transfer would fail: ${getRevertReason(error)}` }
}
