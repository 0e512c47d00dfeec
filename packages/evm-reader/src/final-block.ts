import type { Hex } from 'viem'
import { ChainChangedError, parseHeader, toHeaderCall, toQuantity } from './header-parsing.ts'
import type { SendBatch } from './send-batch.ts'

/** The newest block that no reorganization replaces. */
export interface FinalBlock {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: bigint
}

/** Each attempt begins with the newest block of a node that is further behind. */
const MAX_ATTEMPTS = 5

/**
 * Reads the block with `depth` later blocks, or the chain's first. The node that returns it has the later
 * blocks too: another node could count them on a chain that does not contain this block.
 *
 * @throws ChainChangedError if a node lacks the block. viem's errors.
 */
export async function readBlockOfDepth(
  { newestBlock, requestBatch }: { newestBlock(): Promise<bigint>; requestBatch: SendBatch },
  depth: number,
): Promise<FinalBlock> {
  let newest = await newestBlock()
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const number = subtractDepth(newest, depth)
    const [head, block] = await requestBatch([
      { method: 'eth_blockNumber', params: [] },
      toHeaderCall(toQuantity(Number(number))),
    ])
    newest = BigInt(String(head))
    if (subtractDepth(newest, depth) < number) continue
    const header = parseHeader(block)
    if (header === undefined) throw new ChainChangedError(`block ${number} is missing`)
    return { number, hash: header.hash as Hex, timestamp: BigInt(header.time) }
  }
  throw new ChainChangedError(`no node has ${depth} blocks after a block that another node has`)
}

function subtractDepth(newest: bigint, depth: number): bigint {
  const number = newest - BigInt(depth)
  return number > 0n ? number : 0n
}
