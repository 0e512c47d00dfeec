import { RpcRequestError } from 'viem'
import type { Chain } from './chains.ts'
import {
  type BlockHeader,
  ChainChangedError,
  checkSameBlock,
  parseHeader,
  toHeaderCall,
  toQuantity,
} from './header-parsing.ts'
import { requestOutcomes } from './request-outcomes.ts'
import type { RpcCall } from './rpc-request.ts'

/** Reads the header of a block. Undefined if the node lacks the block. */
export async function findHeader(
  { client }: Pick<Chain, 'client'>,
  block: number | 'latest',
): Promise<BlockHeader | undefined> {
  const selected = block === 'latest' ? block : toQuantity(block)
  // viem's `getBlock` parses every field and throws for a missing block.
  return parseHeader(await client.request({ method: 'eth_getBlockByNumber', params: [selected, false] }))
}

/**
 * Reads the header of a block from a node that has the block `asOf`. A node that has not noticed a
 * reorganization returns a block that was replaced.
 *
 * @param asOf A block that the caller has read before, usually the newest final one.
 * @throws ChainChangedError if the node that responds lacks one of the blocks, or has another block as
 * `asOf`. viem's errors.
 */
export async function getHeaderAsOf(
  { requestBatch }: Pick<Chain, 'requestBatch'>,
  number: number,
  asOf: { readonly number: number; readonly hash: string },
): Promise<BlockHeader> {
  const headers = await requestBatch([asOf.number, number].map((each) => toNumberCall(each)))
  const [reference, header] = headers.map(parseHeader)
  checkSameBlock(asOf, reference)
  if (header === undefined) throw new ChainChangedError(`block ${number} is missing`)
  return header
}

/** Headers that are requested at the same time. */
const HEADER_CONCURRENCY = 400

/**
 * Reads the headers of blocks in batches, in the order of their numbers. An item is undefined if the node
 * that responded lacks the block.
 *
 * @throws viem's errors.
 */
export async function findHeaders(
  chain: Pick<Chain, 'network' | 'requestEach'>,
  numbers: readonly number[],
): Promise<(BlockHeader | undefined)[]> {
  const headers: (BlockHeader | undefined)[] = []
  for (let start = 0; start < numbers.length; start += HEADER_CONCURRENCY) {
    const calls = numbers.slice(start, start + HEADER_CONCURRENCY).map(toNumberCall)
    const outcomes = await requestOutcomes(chain, calls)
    for (const [index, outcome] of outcomes.entries()) {
      if ('error' in outcome)
        throw new RpcRequestError({ body: { ...calls[index] }, error: outcome.error, url: chain.network })
      headers.push(parseHeader(outcome.result))
    }
  }
  return headers
}

const toNumberCall = (number: number): RpcCall => toHeaderCall(toQuantity(number))

/**
 * Reads the headers of blocks in batches, in the order of their numbers.
 *
 * @throws ChainChangedError if the node that responded lacks one of them. viem's errors.
 */
export async function getHeaders(
  chain: Pick<Chain, 'network' | 'requestEach'>,
  numbers: readonly number[],
): Promise<BlockHeader[]> {
  const headers = await findHeaders(chain, numbers)
  return headers.map((header, index) => {
    if (header === undefined) throw new ChainChangedError(`block ${numbers[index]} is missing`)
    return header
  })
}
