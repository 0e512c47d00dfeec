import type { Hex } from 'viem'
import type { RpcCall } from './rpc-request.ts'

/**
 * The nodes' responses do not belong to one version of the chain, or a node lacks a block. A later repeat may
 * succeed.
 */
export class ChainChangedError extends Error {
  override readonly name = 'ChainChangedError'
}

/** The fields of a block header that identify the block and its place in the chain. */
export interface BlockHeader {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds, by the chain's clock. */
  readonly time: number
}

/** The fields of a block that are read, as execution clients return them. */
interface NodeBlock {
  readonly number: string | null
  readonly hash: string | null
  readonly parentHash: string
  readonly timestamp: string
}

export const toQuantity = (number: number): Hex => `0x${number.toString(16)}`

export const toHeaderCall = (block: string): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [block, false],
})

/**
 * Parses the result of `eth_getBlockByNumber` or `eth_getBlockByHash`. Undefined if the node lacks the block.
 */
export function parseHeader(result: unknown): BlockHeader | undefined {
  // As execution clients return it.
  const block = result as NodeBlock | null
  if (!block?.hash || !block.number) return undefined
  const { hash, parentHash } = block
  return { number: Number(block.number), hash, parentHash, time: Number(block.timestamp) }
}

/** @throws ChainChangedError unless the header, as the node returned it, is that of the block. */
export function checkSameBlock(
  block: { readonly number: number | bigint; readonly hash: string },
  header: BlockHeader | undefined,
): void {
  if (header?.hash !== block.hash)
    throw new ChainChangedError(`block ${block.number} is another one, or is missing`)
}
