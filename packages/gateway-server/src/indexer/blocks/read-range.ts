import { type BlockHeader, ChainChangedError, type NodeLog } from '@mintmark/evm-reader'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'
import { decodeTransfers } from '../transfers/transfer-logs.ts'
import type { BlockSource, TransferRequest } from './block-source.ts'

/** The transfers in a range of blocks. */
export interface BlockRange {
  readonly from: number
  readonly to: number
  readonly transfers: readonly TokenTransfer[]
  /** Unix seconds by block number, for every block with transfers. */
  readonly times: ReadonlyMap<number, number>
  /** Blocks whose hashes are stored, ascending. Contains the last block of the range. */
  readonly headers: readonly BlockHeader[]
}

export interface RangeRequest extends Omit<TransferRequest, 'parentHash'> {
  /** The first block whose hash is stored. */
  readonly keepFrom: number
  /** Stored hashes by block number. The range must fit them. */
  readonly storedHashes: ReadonlyMap<number, string>
  /** The block before the range, as far as it is known from an earlier read. */
  readonly parent?: Pick<BlockHeader, 'number' | 'hash'> | undefined
  /** Returns a block that is final, as are those before it. */
  readonly getFinalBlock: () => Promise<number>
}

/**
 * Reads the beginning of a range of blocks, as many of them as the node accepts, all from the same version of
 * the chain.
 *
 * The header of each block with transfers is compared with its logs. A final block has no other version, so
 * its header is not read if its logs contain its time.
 *
 * @throws ChainChangedError when the chain was reorganized meanwhile, or when the range does not follow the
 * stored blocks.
 */
export async function readRange(source: BlockSource, request: RangeRequest): Promise<BlockRange> {
  const { keepFrom, storedHashes, parent, getFinalBlock, ...requested } = request
  const { from } = requested
  const parentHash = storedHashes.get(from - 1) ?? (parent?.number === from - 1 ? parent.hash : undefined)
  const part = await source.readTransfers({ ...requested, parentHash })
  const { to, logs } = part
  const keptNumbers = listKeptNumbers(from, to, keepFrom)
  const blocks = listLogBlocks(logs)
  const headers = new Map(part.headers.map((header) => [header.number, header]))
  const timed = await selectTimedFinalBlocks(blocks, headers, getFinalBlock)
  const needed = new Set([...keptNumbers, ...[...blocks.keys()].filter((number) => !timed.has(number))])
  const missing = [...needed].filter((number) => !headers.has(number))
  for (const header of await source.getHeaders(missing)) headers.set(header.number, header)
  checkHeaders(headers, storedHashes, blocks)
  return {
    from,
    to,
    transfers: logs.flatMap(decodeTransfers),
    times: new Map([...timed, ...[...headers.values()].map(({ number, time }) => [number, time] as const)]),
    headers: [...headers.values()]
      .filter(({ number }) => keptNumbers.has(number))
      .sort((a, b) => a.number - b.number),
  }
}

/** A block as its logs describe it. */
interface LogBlock {
  readonly hash: string
  /** Unix seconds. Undefined if the node does not include it. */
  readonly time: number | undefined
}

/** Lists the blocks of logs by number. */
function listLogBlocks(logs: readonly NodeLog[]): Map<number, LogBlock> {
  const blocks = new Map<number, LogBlock>()
  for (const { blockNumber, blockHash, blockTimestamp } of logs) {
    const number = Number(blockNumber)
    const known = blocks.get(number)
    if (known === undefined) {
      const time = blockTimestamp ? Number(blockTimestamp) : undefined
      blocks.set(number, { hash: blockHash, time })
    } else if (known.hash !== blockHash) throw new ChainChangedError(`block ${number} changed`)
  }
  return blocks
}

/**
 * Selects the final blocks without a header whose logs contain a possible time: after the start of the chain,
 * and not after the newest header of the range.
 *
 * @returns Unix seconds by block number.
 */
async function selectTimedFinalBlocks(
  blocks: ReadonlyMap<number, LogBlock>,
  headers: ReadonlyMap<number, BlockHeader>,
  getFinalBlock: () => Promise<number>,
): Promise<Map<number, number>> {
  const newestTime = Math.max(...[...headers.values()].map(({ time }) => time))
  const times = new Map<number, number>()
  for (const [number, { time = 0 }] of blocks) {
    if (!headers.has(number) && time > 0 && time <= newestTime) times.set(number, time)
  }
  if (times.size === 0) return times
  const final = await getFinalBlock()
  return new Map([...times].filter(([number]) => number <= final))
}

function listKeptNumbers(from: number, to: number, keepFrom: number): Set<number> {
  const numbers = new Set<number>([to])
  for (let number = Math.max(from, keepFrom); number <= to; number += 1) numbers.add(number)
  return numbers
}

function checkHeaders(
  headers: ReadonlyMap<number, BlockHeader>,
  storedHashes: ReadonlyMap<number, string>,
  logBlocks: ReadonlyMap<number, LogBlock>,
): void {
  for (const [number, { hash }] of logBlocks) {
    const stored = storedHashes.get(number)
    if (stored !== undefined && stored !== hash) throw new ChainChangedError(`block ${number} changed`)
  }
  for (const { number, hash, parentHash } of headers.values()) {
    const expected = [storedHashes.get(number), logBlocks.get(number)?.hash]
    if (expected.some((other) => other !== undefined && other !== hash))
      throw new ChainChangedError(`block ${number} changed`)
    const parent = headers.get(number - 1)?.hash ?? storedHashes.get(number - 1)
    if (parent !== undefined && parent !== parentHash)
      throw new ChainChangedError(`block ${number} has another parent`)
  }
}
