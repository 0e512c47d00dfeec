import { type Chains, removeAddress } from '@mintmark/server-kit'
import { type AllowedAssets, assetKey } from '../../chains/evm/allowed-assets.ts'
import type { Payment, PaymentVerifier, VerificationOutcome } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { authorizationDigest, cacheSeparator, domainSeparator } from './authorization-hash.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { createTokenStates, type TokenState } from './token-state.ts'

export interface VerifierOptions {
  chains: Chains
  allowedAssets: AllowedAssets
  /** Networks outside `chains` that are served without reading their chain (`UNREADABLE_NETWORKS`). */
  unreadableNetworks?: ReadonlySet<string>
  /** The most seconds from now to `validBefore`. Default 86,400, a day. */
  maxValidity?: number
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number
  /** Receives the error if a chain cannot be read. The caller of the verify does not see it. */
  report?: (error: unknown) => void
  /** Default: native if its binary loads. */
  recovery?: Recovery
}

/** A payment that expires in fewer seconds may not be mined in time. */
const SETTLE_MARGIN_SECONDS = 6n

/**
 * Creates our own verification, with cheap checks first. The state of the token and the wallet is read from the newest block each time. Only
 * the token's domain is cached.
 */
export function createVerifier(options: VerifierOptions): PaymentVerifier {
  const { chains, allowedAssets, unreadableNetworks, now = Date.now, report = () => {} } = options
  const maxValidity = BigInt(options.maxValidity ?? 86_400)
  const recovery = options.recovery ?? createRecovery()
  const states = createTokenStates(chains, now)

  return {
    async verify(payment) {
      const readable = states.readable(payment.network)
      if (!readable && !unreadableNetworks?.has(payment.network)) {
        return invalid(payment, reasons.invalidNetwork, `The network ${payment.network} is not served`)
      }
      if (!allowedAssets.has(assetKey(payment.network, payment.asset))) {
        return invalid(payment, reasons.invalidRequirements, 'The asset is not among the accepted assets')
      }
      const invalidTime = checkTimes(payment, BigInt(Math.floor(now() / 1000)), maxValidity)
      if (invalidTime) return invalidTime

      const digest = authorizationDigest(payment)
      const signed = (await recovery.recover(digest, payment.signature)) === payment.payer
      if (!readable) return signed ? valid(payment) : badSignature(payment)
      try {
        const readAt = performance.now()
        const state = await states.read(payment, signed ? undefined : `0x${digest.toString('hex')}`)
        return evaluateState(payment, state, signed, readAt)
      } catch (error) {
        report(removeAddress(error))
        return invalid(payment, reasons.verifyError, 'The chain could not be read')
      }
    },
  }
}

function checkTimes(payment: Payment, seconds: bigint, maxValidity: bigint): VerificationOutcome | undefined {
  if (payment.validBefore < seconds + SETTLE_MARGIN_SECONDS) {
    return invalid(payment, reasons.validBefore, 'The authorization has expired or is about to expire')
  }
  if (payment.validAfter > seconds) {
    return invalid(payment, reasons.validAfter, 'The authorization is not valid yet')
  }
  // Until then, an unused nonce proves nothing, and the price of an unknown outcome stays held.
  if (payment.validBefore > seconds + maxValidity) {
    const message = `validBefore is more than ${maxValidity} seconds ahead. Sign an authorization that ends sooner`
    return invalid(payment, reasons.validBefore, message)
  }
  return undefined
}

function evaluateState(
  payment: Payment,
  state: TokenState,
  signedByKey: boolean,
  readAt: number,
): VerificationOutcome {
  if (state.noCode) return invalid(payment, reasons.noContract, "The asset's address has no contract")
  const { domain } = state
  const separator = domainSeparator(payment)
  if (domain.separator === separator) cacheSeparator(payment, separator)
  if (domain.separator !== undefined && domain.separator !== separator) {
    if (domain.name !== payment.domainName) {
      return invalid(payment, reasons.nameMismatch, "extra.name is not the token's name")
    }
    if (domain.version !== payment.domainVersion) {
      return invalid(payment, reasons.versionMismatch, "extra.version is not the token's version")
    }
  }
  if (domain.separator !== separator || state.used === undefined) {
    return invalid(payment, reasons.notEip3009, 'The asset has no EIP-3009 transfers with the usual domain')
  }
  if (!signedByKey && !state.signedByWallet) return badSignature(payment)
  if (state.used) return invalid(payment, reasons.nonceUsed, 'The nonce was used or cancelled')
  if (state.balance === undefined || state.balance < payment.amount) {
    return invalid(payment, reasons.insufficientFunds, "The payer's balance is less than the amount")
  }
  const { balance, block } = state
  return { ...valid(payment), funds: { balance, block, readAt } }
}

const valid = ({ payer }: Payment) => ({ isValid: true, payer }) as const
const badSignature = (payment: Payment): VerificationOutcome =>
  invalid(payment, reasons.signature, "The signature is not the payer's")

function invalid({ payer }: Payment, invalidReason: string, invalidMessage: string): VerificationOutcome {
  return { isValid: false, invalidReason, invalidMessage, payer }
}
