import { removeAddress } from '@mintmark/evm-reader'
import { assetKey } from '../../../chains/evm/settings/allowed-assets.ts'
import type { Payment, PaymentVerifier, VerificationOutcome } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { VerifierParts } from '../evm-scheme.ts'

export const invalid = ({ payer }: Payment, { reason, message }: Problem): VerificationOutcome => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message,
  payer,
})

/**
 * Creates the verification of a scheme's own requests, whose decoding has compared them with the requirements.
 *
 * @param openChain Opens what the verification keeps of a chain.
 * @param verify Verifies a request. It throws if the chain cannot be read.
 */
export function createSchemeVerifier<Details, OpenedChain>(
  { chains, allowedAssets, report }: VerifierParts,
  openChain: (chain: VerifierParts['chains'][number]) => OpenedChain,
  verify: (on: OpenedChain, payment: Payment<Details>, simulate: boolean) => Promise<VerificationOutcome>,
): PaymentVerifier {
  const opened = new Map(chains.map((chain) => [chain.network, openChain(chain)]))
  return {
    async verify(payment: Payment<Details>, { simulate = false } = {}) {
      const on = opened.get(payment.network)
      if (on === undefined) return invalid(payment, NOT_SERVED)
      if (!allowedAssets.has(assetKey(payment.network, payment.asset))) return invalid(payment, NOT_ACCEPTED)
      try {
        return await verify(on, payment, simulate)
      } catch (error) {
        report(removeAddress(error))
        return invalid(payment, UNREADABLE)
      }
    },
  }
}

const NOT_SERVED: Problem = { reason: reasons.invalidNetwork, message: 'The network is not served' }
const NOT_ACCEPTED: Problem = {
  reason: reasons.invalidRequirements,
  message: 'The asset is not among the accepted assets',
}
const UNREADABLE: Problem = { reason: reasons.verifyError, message: 'The chain could not be read' }
