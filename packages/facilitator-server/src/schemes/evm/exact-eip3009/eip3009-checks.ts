import { toFunctionSelector } from 'viem'
import { addressWord } from '../../../chains/evm/reads/abi-words.ts'
import type { Read, ReadResult } from '../../../chains/evm/reads/multicall-reads.ts'
import * as token from '../../../chains/evm/reads/token-reads.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { MethodChecks } from '../shared/method-checks.ts'
import { domainSeparator } from './eip3009-digest.ts'

const AUTHORIZATION_STATE = toFunctionSelector('authorizationState(address,bytes32)').slice(2)

/** Reads whether the authorizer's nonce was used or cancelled. */
export const authorizationState = (asset: string, payer: string, nonce: string): Read => ({
  target: asset,
  data: `${AUTHORIZATION_STATE}${addressWord(payer)}${nonce.slice(2)}`,
})

/** A token's EIP-712 domain. Values that the token does not report are undefined. */
interface TokenDomain {
  /** Hex digits without 0x. */
  separator: string | undefined
  name: string | undefined
  version: string | undefined
}

/**
 * A token behind a proxy can change its version by an upgrade, so its domain is cached for a limited time.
 */
const DOMAIN_TTL_MS = 10 * 60 * 1000

/** Creates the checks of one chain's payments by EIP-3009. Only the domains of tokens are cached. */
export function createEip3009Checks(now: () => number): MethodChecks {
  const domains = new Map<string, { domain: TokenDomain; until: number }>()

  const findCachedDomain = (asset: string): TokenDomain | undefined => {
    const cached = domains.get(asset)
    return cached !== undefined && cached.until > now() ? cached.domain : undefined
  }

  return {
    plan(payment) {
      const { asset, payer, nonce } = payment
      const cached = findCachedDomain(asset)
      return {
        reads: [
          authorizationState(asset, payer, nonce),
          ...(cached === undefined ? token.domainReads(asset) : []),
        ],
        evaluate([used, ...domainResults]) {
          if (used === undefined) throw new Error('The chain returned fewer results than were requested')
          const domain = cached ?? readDomain(domainResults)
          const spent = token.readWord(used)
          // Not cached for an address without code, where the token may be deployed soon.
          if (cached === undefined && !token.hasNoCode(used))
            domains.set(asset, { domain, until: now() + DOMAIN_TTL_MS })
          return {
            contractProblem: checkDomain(payment, domain, spent !== undefined),
            payerProblem: spent === undefined || spent === 0n ? undefined : NONCE_USED,
          }
        },
      }
    },
  }
}

const NONCE_USED: Problem = { reason: reasons.nonceUsed, message: 'The nonce was used or cancelled' }

function readDomain([separator, name, version]: readonly ReadResult[]): TokenDomain {
  return {
    separator: separator?.success && separator.data.length === 64 ? separator.data : undefined,
    name: name && token.readText(name),
    version: version && token.readText(version),
  }
}

function checkDomain(payment: Payment, domain: TokenDomain, hasNonces: boolean): Problem | undefined {
  const separator = domainSeparator(payment)
  if (domain.separator !== undefined && domain.separator !== separator) {
    if (domain.name !== payment.domainName) {
      return { reason: reasons.nameMismatch, message: "extra.name is not the token's name" }
    }
    if (domain.version !== payment.domainVersion) {
      return { reason: reasons.versionMismatch, message: "extra.version is not the token's version" }
    }
  }
  if (domain.separator !== separator || !hasNonces) {
    const message = 'The asset has no EIP-3009 transfers with the usual domain'
    return { reason: reasons.notEip3009, message }
  }
  return undefined
}
