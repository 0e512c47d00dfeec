import type { Chain, RpcCall, RpcOutcome } from '@mintmark/server-kit'
import type { ReadResult } from '../../chains/evm/batched-reads.ts'
import { createInquire } from '../../chains/evm/inquiries.ts'
import * as token from '../../chains/evm/token-reads.ts'
import type { Payment } from '../payment.ts'

/** A token's EIP-712 domain. Values that the token does not report are undefined. */
export interface TokenDomain {
  /** Hex digits without 0x. */
  separator: string | undefined
  name: string | undefined
  version: string | undefined
}

/** The state of a payment's token in the newest block. */
export interface TokenState {
  noCode: boolean
  domain: TokenDomain
  /** Whether the nonce is used. Undefined if the token lacks EIP-3009. */
  used: boolean | undefined
  balance: bigint | undefined
  /** The block of the state. */
  block: bigint | undefined
}

/** A token's state, and the outcomes of the calls that were sent with it. */
export interface TokenInquiry {
  state: TokenState
  outcomes: readonly RpcOutcome[]
}

/**
 * Reads the token's state, and executes calls on the newest block, in one HTTP request.
 *
 * @throws Error if the chain cannot be read.
 */
export type ReadTokenState = (payment: Payment, calls: readonly RpcCall[]) => Promise<TokenInquiry>

/** A token behind a proxy can change its version by an upgrade, so its domain is cached for a limited time. */
const DOMAIN_TTL_MS = 10 * 60 * 1000

/** Creates the reader of one chain's tokens. Only their domains are cached. */
export function createReadTokenState(chain: Chain, now: () => number): ReadTokenState {
  const inquire = createInquire(chain)
  const domains = new Map<string, { domain: TokenDomain; until: number }>()

  const findCachedDomain = (asset: string): TokenDomain | undefined => {
    const cached = domains.get(asset)
    return cached !== undefined && cached.until > now() ? cached.domain : undefined
  }

  return async ({ asset, payer, nonce }, calls) => {
    const cached = findCachedDomain(asset)
    const reads = [
      token.authorizationState(asset, payer, nonce),
      token.balanceOf(asset, payer),
      token.blockNumber(),
      ...(cached === undefined ? token.domainReads(asset) : []),
    ]
    const result = await inquire({ reads, calls })
    const [used, balance, block, ...domainResults] = result.reads
    if (!used || !balance || !block) throw new Error('The chain returned fewer results than were requested')
    const noCode = token.hasNoCode(balance)
    const domain = cached ?? readDomain(domainResults)
    // Not cached for an address without code, where the token may be deployed soon.
    if (cached === undefined && !noCode) domains.set(asset, { domain, until: now() + DOMAIN_TTL_MS })
    const spent = token.readWord(used)
    const state = {
      noCode,
      domain,
      used: spent === undefined ? undefined : spent !== 0n,
      balance: token.readWord(balance),
      block: token.readWord(block),
    }
    return { state, outcomes: result.calls }
  }
}

function readDomain([separator, name, version]: readonly ReadResult[]): TokenDomain {
  return {
    separator: separator?.success && separator.data.length === 64 ? separator.data : undefined,
    name: name && token.readText(name),
    version: version && token.readText(version),
  }
}
