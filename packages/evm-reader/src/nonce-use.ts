import type { BlockIdentity } from './block-facts.ts'
import type { Chain } from './chains.ts'
import { checkSameBlock, parseHeader, toHeaderCall, toQuantity } from './header-parsing.ts'

/** A nonce for which transactions were signed. */
export interface SignedNonce {
  readonly signer: string
  readonly nonce: number
  /** The transactions that were signed with it. */
  readonly hashes: readonly string[]
}

/**
 * Whether a transaction that is not among the signed ones used their nonce. One node responds to all of it: a
 * node that lags has no receipt of a transaction that another node counts.
 *
 * @param asOf A block that the caller has read before. The nonce counts as used if it was used up to this
 * block. Default: the newest block of the node that responds.
 * @returns False also if the node lacks the block, so that a later call decides.
 * @throws viem's errors.
 */
export async function isNonceUsedByOther(
  chain: Pick<Chain, 'requestBatch'>,
  { signer, nonce, hashes }: SignedNonce,
  asOf?: BlockIdentity,
): Promise<boolean> {
  const block = asOf === undefined ? 'latest' : toQuantity(Number(asOf.number))
  const [header, count, ...receipts] = await chain.requestBatch([
    toHeaderCall(block),
    { method: 'eth_getTransactionCount', params: [signer, block] },
    ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ])
  if (asOf !== undefined && parseHeader(header)?.hash !== asOf.hash) return false
  return nonce < Number(count) && receipts.every((receipt) => !receipt)
}

/**
 * Reads how many nonces of a signer were used up to a block. The node that responds has the block.
 *
 * @throws ChainChangedError if it lacks the block or has another one with its number. viem's errors.
 */
export async function countUsedNonces(
  chain: Pick<Chain, 'requestBatch'>,
  signer: string,
  asOf: BlockIdentity,
): Promise<number> {
  const block = toQuantity(Number(asOf.number))
  const [header, count] = await chain.requestBatch([
    toHeaderCall(block),
    { method: 'eth_getTransactionCount', params: [signer, block] },
  ])
  checkSameBlock(asOf, parseHeader(header))
  return Number(count)
}
