import { type Chains, withoutAddress } from '@mintmark/server-kit'
import { type AllowedAssets, assetKey } from '../../chains/evm/allowed-assets.ts'
import { authorizationDigest, domainSeparator, keepSeparator } from './authorization-hash.ts'
import type { Payment, PaymentVerifier, Verdict } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { createRecovery, type Recovery } from './recovery.ts'
import { createTokenStates, type TokenState } from './token-state.ts'

export interface VerifierOptions {
  chains: Chains
  allowedAssets: AllowedAssets
  /** Networks outside `chains` that are served all the same (`UNREADABLE_NETWORKS`): no chain state is checked there. */
  unreadableNetworks?: ReadonlySet<string>
  /** Seconds from now until `validBefore`, at most. Default 86,400, a day. */
  maxValidity?: number
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number
  /** Told why a chain could not be asked; the caller of the verify learns only that it could not. */
  report?: (error: unknown) => void
  /** Default: native where it loads. */
  recovery?: Recovery
}

/** A payment that expires sooner than this, in seconds, may not reach a block in time. */
const settleMargin = 6n

/**
 * Our own verify (x402.md, "Checks"), cheap checks first. What a token or a wallet says is read from the newest block
 * each time; only a token's domain is remembered.
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
        return invalid(payment, reasons.invalidNetwork, `The network ${payment.network} is not served.`)
      }
      if (!allowedAssets.has(assetKey(payment.network, payment.asset))) {
        return invalid(
          payment,
          reasons.invalidRequirements,
          'The asset is not on the list of those accepted.',
        )
      }
      const untimely = checkTimes(payment, BigInt(Math.floor(now() / 1000)), maxValidity)
      if (untimely) return untimely

      const digest = authorizationDigest(payment)
      const signed = (await recovery.recover(digest, payment.signature)) === payment.payer
      if (!readable) return signed ? valid(payment) : badSignature(payment)
      try {
        const readAt = performance.now()
        const state = await states.read(payment, signed ? undefined : `0x${digest.toString('hex')}`)
        return judge(payment, state, signed, readAt)
      } catch (error) {
        report(withoutAddress(error))
        return invalid(payment, reasons.verifyError, 'The chain could not be asked.')
      }
    },
  }
}

function checkTimes(payment: Payment, seconds: bigint, maxValidity: bigint): Verdict | undefined {
  if (payment.validBefore < seconds + settleMargin) {
    return invalid(payment, reasons.validBefore, 'The authorization has expired or is about to.')
  }
  if (payment.validAfter > seconds) {
    return invalid(payment, reasons.validAfter, 'The authorization is not yet valid.')
  }
  // Until then an unused nonce proves nothing, and the price of an unknown outcome stays held.
  if (payment.validBefore > seconds + maxValidity) {
    const message = `validBefore lies more than ${maxValidity} seconds ahead. Sign an authorization that ends sooner.`
    return invalid(payment, reasons.validBefore, message)
  }
  return undefined
}

function judge(payment: Payment, state: TokenState, signedByKey: boolean, readAt: number): Verdict {
  if (state.noCode) return invalid(payment, reasons.noContract, 'No contract stands at the asset’s address.')
  const { domain } = state
  const separator = domainSeparator(payment)
  if (domain.separator === separator) keepSeparator(payment, separator)
  if (domain.separator !== undefined && domain.separator !== separator) {
    if (domain.name !== payment.domainName) {
      return invalid(payment, reasons.nameMismatch, 'extra.name is not the token’s name.')
    }
    if (domain.version !== payment.domainVersion) {
      return invalid(payment, reasons.versionMismatch, 'extra.version is not the token’s version.')
    }
  }
  if (domain.separator !== separator || state.used === undefined) {
    return invalid(payment, reasons.notEip3009, 'The asset has no EIP-3009 transfers under the usual domain.')
  }
  if (!signedByKey && !state.signedByWallet) return badSignature(payment)
  if (state.used) return invalid(payment, reasons.nonceUsed, 'The nonce was used or cancelled.')
  if (state.balance === undefined || state.balance < payment.amount) {
    return invalid(payment, reasons.insufficientFunds, 'The payer holds less than the amount.')
  }
  const { balance, block } = state
  return { ...valid(payment), funds: { balance, block, readAt } }
}

const valid = ({ payer }: Payment) => ({ isValid: true, payer }) as const
const badSignature = (payment: Payment): Verdict =>
  invalid(payment, reasons.signature, 'The signature is not the payer’s.')

function invalid({ payer }: Payment, invalidReason: string, invalidMessage: string): Verdict {
  return { isValid: false, invalidReason, invalidMessage, payer }
}
