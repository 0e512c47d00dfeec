import type { Chains } from '@mintmark/server-kit'
import { type BatchedReads, createBatchedReads, multicallOn, type ReadResult } from '../../chains/evm/batched-reads.ts'
import * as token from '../../chains/evm/token-reads.ts'
import type { Payment } from '../payment.ts'

/** A token's EIP-712 domain as the token states it; undefined what it does not state. */
export interface TokenDomain {
  /** Hex digits without 0x. */
  separator: string | undefined
  name: string | undefined
  version: string | undefined
}

/** What the newest block says of a payment. */
export interface TokenState {
  noCode: boolean
  domain: TokenDomain
  /** Whether the nonce is spent; undefined when the token has no EIP-3009. */
  used: boolean | undefined
  balance: bigint | undefined
  /** The block that all of this was read from. */
  block: bigint | undefined
  /** Whether the payer is a contract that accepts the signature (ERC-1271); false when it was not asked. */
  signedByWallet: boolean
}

export interface TokenStates {
  readable(network: string): boolean
  /**
   * One eth_call, shared with other reads of the same turn.
   *
   * @param digest Given when no key has signed: then the payer's code is asked too, in a call of its own, so that a
   * wallet that burns all the gas spoils nobody else's verify.
   * @throws Error when the chain cannot be asked.
   */
  read(payment: Payment, digest?: string): Promise<TokenState>
}

/** Enough for a wallet that checks a passkey in Solidity, and too little to occupy a node. */
const walletGas = 3_000_000n

/** A token behind a proxy can be upgraded and change its version, so its domain is looked up again now and then. */
const domainKeptFor = 10 * 60 * 1000

export function createTokenStates(chains: Chains, now: () => number): TokenStates {
  const readers = new Map(chains.all.map((chain) => [chain.network, createBatchedReads(multicallOn(chain))]))
  const domains = new Map<string, { domain: TokenDomain; until: number }>()

  const knownDomain = (key: string): TokenDomain | undefined => {
    const known = domains.get(key)
    return known !== undefined && known.until > now() ? known.domain : undefined
  }

  return {
    readable: (network) => readers.has(network),
    async read(payment, digest) {
      const reader = readers.get(payment.network)
      if (reader === undefined) throw new Error(`The network ${payment.network} has no chain access.`)
      const key = `${payment.network}/${payment.asset}`
      const known = knownDomain(key)
      const results = await readAll(reader, payment, known === undefined, digest)
      const [used, balance, block] = [results.shift(), results.shift(), results.shift()]
      const wallet = digest && results.pop()
      if (!used || !balance || !block) throw new Error('The chain answered fewer reads than were requested.')
      const noCode = token.hasNoCode(balance)
      const domain = known ?? readDomain(results)
      // Not remembered of an address without code: the token may be deployed the next minute.
      if (known === undefined && !noCode) domains.set(key, { domain, until: now() + domainKeptFor })
      const spent = token.readWord(used)
      return {
        noCode,
        domain,
        used: spent === undefined ? undefined : spent !== 0n,
        balance: token.readWord(balance),
        block: token.readWord(block),
        signedByWallet: wallet ? token.accepted(wallet) : false,
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
    ...(withDomain ? token.domainOf(asset) : []),
  ]
  if (digest === undefined) return reader.read(reads)
  // Last, so that the token's reads have their gas whatever the wallet does.
  return reader.readAlone([...reads, token.isValidSignature(payer, digest, signature)], walletGas)
}

function readDomain([separator, name, version]: ReadResult[]): TokenDomain {
  return {
    separator: separator?.success && separator.data.length === 64 ? separator.data : undefined,
    name: name && token.readText(name),
    version: version && token.readText(version),
  }
}
