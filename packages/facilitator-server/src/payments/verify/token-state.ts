import type { Chains } from '@mintmark/server-kit'
import {
  type BatchedReads,
  createBatchedReads,
  multicallOn,
  type ReadResult,
} from '../../chains/evm/batched-reads.ts'
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
  /** Whether the payer is a contract that accepts the signature (ERC-1271). False if that was not read. */
  signedByWallet: boolean
}

export interface TokenStates {
  readable(network: string): boolean
  /**
   * Reads the state in one eth_call, which all reads of the same turn share.
   *
   * @param digest Set if no key has signed. Then the payer's code verifies the signature, in a separate call, so that a wallet that
   * consumes all gas does not affect other verifications.
   * @throws Error if the chain cannot be read.
   */
  read(payment: Payment, digest?: string): Promise<TokenState>
}

/** Enough for a wallet that verifies a passkey in Solidity, and too little to occupy a node. */
const WALLET_GAS = 3_000_000n

/** A token behind a proxy can change its version by an upgrade, so its domain is cached for a limited time. */
const DOMAIN_TTL_MS = 10 * 60 * 1000

export function createTokenStates(chains: Chains, now: () => number): TokenStates {
  const readers = new Map(chains.all.map((chain) => [chain.network, createBatchedReads(multicallOn(chain))]))
  const domains = new Map<string, { domain: TokenDomain; until: number }>()

  const findCachedDomain = (key: string): TokenDomain | undefined => {
    const cached = domains.get(key)
    return cached !== undefined && cached.until > now() ? cached.domain : undefined
  }

  return {
    readable: (network) => readers.has(network),
    async read(payment, digest) {
      const reader = readers.get(payment.network)
      if (reader === undefined) throw new Error(`The network ${payment.network} has no chain access`)
      const key = `${payment.network}/${payment.asset}`
      const cached = findCachedDomain(key)
      const results = await readAll(reader, payment, cached === undefined, digest)
      const [used, balance, block] = [results.shift(), results.shift(), results.shift()]
      const wallet = digest && results.pop()
      if (!used || !balance || !block) throw new Error('The chain returned fewer results than were requested')
      const noCode = token.hasNoCode(balance)
      const domain = cached ?? readDomain(results)
      // Not cached for an address without code, where the token may be deployed soon.
      if (cached === undefined && !noCode) domains.set(key, { domain, until: now() + DOMAIN_TTL_MS })
      const spent = token.readWord(used)
      return {
        noCode,
        domain,
        used: spent === undefined ? undefined : spent !== 0n,
        balance: token.readWord(balance),
        block: token.readWord(block),
        signedByWallet: wallet ? token.isAccepted(wallet) : false,
      }
    },
  }
}

function readAll(
  reader: BatchedReads,
  { asset, payer, nonce, signature }: Payment,
  withDomain: boolean,
  digest: string | undefined,
): Promise<ReadResult[]> {
  const reads = [
    token.authorizationState(asset, payer, nonce),
    token.balanceOf(asset, payer),
    token.blockNumber(),
    ...(withDomain ? token.domainReads(asset) : []),
  ]
  if (digest === undefined) return reader.read(reads)
  // The last read, so that the wallet cannot consume the gas of the token's reads.
  return reader.readAlone([...reads, token.isValidSignature(payer, digest, signature)], WALLET_GAS)
}

function readDomain([separator, name, version]: ReadResult[]): TokenDomain {
  return {
    separator: separator?.success && separator.data.length === 64 ? separator.data : undefined,
    name: name && token.readText(name),
    version: version && token.readText(version),
  }
}
