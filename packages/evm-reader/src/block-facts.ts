import { formatTransactionReceipt, type Hex, type TransactionReceipt } from 'viem'
import { findHeader } from './block-header.ts'
import type { Chain } from './chains.ts'
import { parseHeader, toHeaderCall, toQuantity } from './header-parsing.ts'
import { findRpcError, isMissingBlock, type RpcError } from './rpc-error.ts'

/** A block as it was recorded. */
export interface BlockIdentity {
  readonly number: bigint | number
  readonly hash: string
}

/**
 * How a recorded block compares with the chain's block of that number. `unknown`: the node lacks the block.
 */
export type BlockComparison = 'same' | 'different' | 'unknown'

/**
 * Compares a recorded block with the chain. A lagging node proves nothing: only another block with the number
 * is `different`.
 */
export async function compareBlock(
  chain: Pick<Chain, 'client'>,
  { number, hash }: BlockIdentity,
): Promise<BlockComparison> {
  const header = await findHeader(chain, Number(number))
  if (header === undefined) return 'unknown'
  return header.hash.toLowerCase() === hash.toLowerCase() ? 'same' : 'different'
}

/** Recorded blocks that are compared by one request. Providers of nodes refuse large batches. */
const BLOCKS_PER_REQUEST = 9

/**
 * Compares recorded blocks with the chain that contains the block `asOf`, in order. A block up to `asOf`
 * counts only if the node that returned it has `asOf` too: a node that has not noticed a reorganization
 * returns blocks that were replaced.
 *
 * @param asOf A block that the caller has read before, usually the newest final one.
 */
export async function compareBlocksAsOf(
  { requestBatch }: Pick<Chain, 'requestBatch'>,
  blocks: readonly BlockIdentity[],
  asOf: BlockIdentity,
): Promise<BlockComparison[]> {
  const comparisons: BlockComparison[] = []
  for (let start = 0; start < blocks.length; start += BLOCKS_PER_REQUEST) {
    const part = blocks.slice(start, start + BLOCKS_PER_REQUEST)
    const [reference, ...headers] = await requestBatch(
      [asOf, ...part].map(({ number }) => toHeaderCall(toQuantity(Number(number)))),
    )
    const hasBlock = parseHeader(reference)?.hash === asOf.hash
    for (const [index, { number, hash }] of part.entries()) {
      const header = parseHeader(headers[index])
      const isProven = hasBlock || BigInt(number) > BigInt(asOf.number)
      if (header === undefined || !isProven) comparisons.push('unknown')
      else comparisons.push(header.hash.toLowerCase() === hash.toLowerCase() ? 'same' : 'different')
    }
  }
  return comparisons
}

/** What a chain shows of a transaction. */
export type ReceiptFact =
  /** It is in a block of the chain. */
  | { readonly kind: 'mined'; readonly receipt: TransactionReceipt }
  /** The chain up to the block `asOf` does not contain it. */
  | { readonly kind: 'absent' }
  /** The nodes' responses contradict each other, or a node lacks a block. A later read may decide it. */
  | { readonly kind: 'unknown' }

/**
 * Reads the receipt of a transaction. A receipt counts only if its block is the chain's block with its
 * number. A missing receipt, or one from before the block `asOf`, counts only if the node that returned it
 * has that block.
 *
 * @param asOf A block that the caller has read before, usually the newest final one.
 */
export async function readReceipt(chain: Chain, hash: string, asOf: BlockIdentity): Promise<ReceiptFact> {
  const [block, result] = await chain.requestBatch([
    toHeaderCall(toQuantity(Number(asOf.number))),
    { method: 'eth_getTransactionReceipt', params: [hash] },
  ])
  const hasBlock = parseHeader(block)?.hash === asOf.hash
  if (!result) return { kind: hasBlock ? 'absent' : 'unknown' }
  // As execution clients return it.
  const receipt = formatTransactionReceipt(result as Parameters<typeof formatTransactionReceipt>[0])
  const { blockNumber: number, blockHash } = receipt
  if (number <= BigInt(asOf.number) && !hasBlock) return { kind: 'unknown' }
  const comparison = await compareBlock(chain, { number, hash: blockHash })
  return comparison === 'same' ? { kind: 'mined', receipt } : { kind: 'unknown' }
}

/** The result of a call with the state of one block. */
export type PinnedResult =
  | { readonly kind: 'returned'; readonly data: Hex }
  /** The contract reverted, or the node refused to run the call. */
  | { readonly kind: 'refused'; readonly error: RpcError }
  /** The node lacks the block or its state. */
  | { readonly kind: 'unknown'; readonly error: RpcError }

/**
 * Calls a contract with the state of the block that has this hash (EIP-1898), so that results of several
 * calls belong together although different nodes may have responded.
 *
 * @throws viem's error if no node responds.
 */
export async function callAtBlock(
  { client }: Pick<Chain, 'client'>,
  call: { readonly to: Hex; readonly data: Hex; readonly gas?: bigint },
  blockHash: string,
): Promise<PinnedResult> {
  const { to, data, gas } = call
  const limit = gas === undefined ? {} : { gas: `0x${gas.toString(16)}` as const }
  const block = { blockHash: `0x${blockHash.slice(2)}`, requireCanonical: true } as const
  try {
    const result = await client.request({ method: 'eth_call', params: [{ to, data, ...limit }, block] })
    return { kind: 'returned', data: result }
  } catch (error) {
    const rpcError = findRpcError(error)
    if (rpcError === undefined) throw error
    return { kind: isMissingBlock(rpcError) ? 'unknown' : 'refused', error: rpcError }
  }
}

/**
 * Calls a contract with the newest state of a node that has the block `asOf`, so that the state contains
 * everything up to this block.
 *
 * @returns Undefined if the node that responds lacks the block.
 * @throws viem's error if no node responds, or the contract reverts.
 */
export async function callAfterBlock(
  chain: Pick<Chain, 'requestBatch'>,
  { to, data }: { readonly to: Hex; readonly data: Hex },
  asOf: BlockIdentity,
): Promise<Hex | undefined> {
  const [block, result] = await chain.requestBatch([
    toHeaderCall(toQuantity(Number(asOf.number))),
    { method: 'eth_call', params: [{ to, data }, 'latest'] },
  ])
  // As execution clients return it.
  return parseHeader(block)?.hash === asOf.hash ? (result as Hex) : undefined
}
