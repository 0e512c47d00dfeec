import type { Payment } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import {
  getOperationGasCap,
  getOperationGasFloor,
  isChannelOperation,
} from '../../../schemes/evm/batch-settlement/channel-methods.ts'
import { methodOf } from '../../../schemes/evm/methods.ts'
import { type ContractCall, encodeDeploymentAndTransfer } from '../reads/transfer.ts'
import { type AllowedFactories, assetKey } from '../settings/allowed-assets.ts'
import type { GasCaps } from '../settings/gas-caps.ts'
import type { Recovery } from '../signatures/recovery.ts'
import { unwrapSignature } from '../signatures/wrapped-signature.ts'
import { refused, type Unsent } from './upstream-responses.ts'

/** What one settlement executes, with its gas limits. */
export interface SettlementCall {
  readonly transfer: ContractCall
  /** A call that needs more gas is refused. */
  readonly gasCap: bigint
  /** The cap for a payer that is a contract. */
  readonly contractGasCap: bigint
  /** The least gas limit, whatever a node estimates. Default 0. */
  readonly gasFloor?: bigint
  /** Whether the call deploys the payer's contract first. */
  readonly deploys: boolean
  /** Whether the call may execute contracts of others, whoever the payer is. */
  readonly executesOthers?: boolean
}

export interface SettlementCallParts {
  readonly recovery: Recovery
  readonly gasCaps: GasCaps
  readonly walletFactories: AllowedFactories
  /** Whether the payer has code. */
  readonly hasCode: () => Promise<boolean>
}

/**
 * Chooses the call that executes a payment: with the signature in parts if the payer's key has signed,
 * otherwise as bytes for the payer's contract, and after its deployment if the contract does not exist yet
 * (ERC-6492). The token decides whether the payer's key or its code verifies the signature.
 */
export async function createSettlementCall(
  payment: Payment,
  { recovery, gasCaps, walletFactories, hasCode }: SettlementCallParts,
): Promise<SettlementCall | Unsent> {
  if (isChannelOperation(payment)) {
    const gasCap = getOperationGasCap(payment, gasCaps)
    const transfer = methodOf(payment).encodeTransfer(payment, payment.signature, false)
    const gasFloor = getOperationGasFloor(payment)
    return { transfer, gasCap, contractGasCap: gasCap, gasFloor, deploys: false, executesOthers: true }
  }
  const unwrapped = unwrapSignature(payment.signature)
  const method = methodOf(payment)
  if (unwrapped === undefined)
    return refused(method.reasons.signature, "The signature's wrapper is malformed")
  const { signature, deployment } = unwrapped
  const signer = await recovery.recover(method.computeDigest(payment), method.toKeySignature(signature))
  const isSignedByKey = signer === payment.payer
  const transfer = method.encodeTransfer(payment, signature, isSignedByKey)
  if (deployment === undefined || isSignedByKey || (await hasCode())) {
    return { transfer, gasCap: gasCaps.key, contractGasCap: gasCaps.contract, deploys: false }
  }
  if (payment.permit2?.facilitator !== undefined) {
    // Multicall3 would send the transfer, and it is not the signed facilitator.
    return refused(reasons.deploymentFailed, 'The scheme upto does not deploy wallets')
  }
  if (!walletFactories.has(assetKey(payment.network, deployment.factory))) {
    return refused(reasons.factoryNotAllowed, `The wallet's factory ${deployment.factory} is not accepted`)
  }
  return {
    transfer: encodeDeploymentAndTransfer(deployment, transfer),
    gasCap: gasCaps.deployment,
    contractGasCap: gasCaps.deployment,
    deploys: true,
  }
}
