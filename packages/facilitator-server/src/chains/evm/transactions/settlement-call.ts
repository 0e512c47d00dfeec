import { reasons } from '../../../payment/reasons.ts'
import { encodeDeploymentAndTransfer } from '../reads/transfer.ts'
import { type AllowedFactories, assetKey } from '../settings/allowed-assets.ts'
import type { GasCaps } from '../settings/gas-caps.ts'
import { recover } from '../signatures/recovery.ts'
import { unwrapSignature } from '../signatures/wrapped-signature.ts'
import type { EvmPayment, SettlementCall } from './execution.ts'
import { refused, type Unsent } from './upstream-responses.ts'

export interface SettlementCallParts {
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
  payment: EvmPayment,
  { gasCaps, walletFactories, hasCode }: SettlementCallParts,
): Promise<SettlementCall | Unsent> {
  const { scheme } = payment
  const direct = scheme.createCall?.(payment, gasCaps)
  if (direct !== undefined) return direct
  const unwrapped = unwrapSignature(payment.signature)
  if (unwrapped === undefined)
    return refused(scheme.reasons.signature, "The signature's wrapper is malformed")
  const { signature, deployment } = unwrapped
  const signer = await recover(scheme.computeDigest(payment), scheme.toKeySignature(signature))
  const isSignedByKey = signer === payment.payer
  const transfer = scheme.encodeTransfer(payment, signature, isSignedByKey)
  if (deployment === undefined || isSignedByKey || (await hasCode())) {
    return { transfer, gasCap: gasCaps.key, contractGasCap: gasCaps.contract, deploys: false }
  }
  if (scheme.getOnlySender?.(payment) !== undefined) {
    // Multicall3 would send the transfer.
    return refused(reasons.deploymentFailed, `The scheme ${scheme.name} does not deploy wallets`)
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
