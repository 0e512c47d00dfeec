import { type BlockHeader, ChainChangedError } from '@mintmark/server-kit'
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
}

/** Headers that are requested concurrently. */
const HEADER_CONCURRENCY = 20

/**
 * Reads the beginning of a range of blocks, as many of them as the node accepts, all from the same version of the chain.
 *
 * @throws ChainChangedError when the chain was reorganized meanwhile, or when the range does not follow the stored blocks.
 */
export async function readRange(source: BlockSource, request: RangeRequest): Promise<BlockRange> {
  const { keepFrom, storedHashes, ...requested } = request
  const { from } = requested
  const part = await source.readTransfers({ ...requested, parentHash: storedHashes.get(from - 1) })
  const { to, logs } = part
  const keptNumbers = listKeptNumbers(from, to, keepFrom)
  const logHashes = new Map(logs.map((log) => [Number(log.blockNumber), log.blockHash]))
  const headers = new Map(part.headers.map((header) => [header.number, header]))
  const missing = [...new Set([...keptNumbers, ...logHashes.keys()])].filter((number) => !headers.has(number))
  for (const header of await getHeaders(source, missing)) headers.set(header.number, header)
  checkHeaders(headers, storedHashes, logHashes)
  return {
    from,
    to,
    transfers: logs.flatMap(decodeTransfers),
    times: new Map([...headers.values()].map(({ number, time }) => [number, time])),
    headers: [...headers.values()]
      .filter(({ number }) => keptNumbers.has(number))
      .sort((a, b) => a.number - b.number),
  }
}

function listKeptNumbers(from: number, to: number, keepFrom: number): Set<number> {
  const numbers = new Set<number>([to])
  for (let number = Math.max(from, keepFrom); number <= to; number += 1) numbers.add(number)
  return numbers
}

function checkHeaders(
  headers: ReadonlyMap<number, BlockHeader>,
  storedHashes: ReadonlyMap<number, string>,
  logHashes: ReadonlyMap<number, string>,
): void {
  for (const { number, hash, parentHash } of headers.values()) {
    const expected = [storedHashes.get(number), logHashes.get(number)]
    if (expected.some((other) => other !== undefined && other !== hash))
      throw new ChainChangedError(`block ${number} changed`)
    const parent = headers.get(number - 1)?.hash ?? storedHashes.get(number - 1)
    if (parent !== undefined && parent !== parentHash)
      throw new ChainChangedError(`block ${number} has another parent`)
  }
}

async function getHeaders(source: BlockSource, numbers: readonly number[]): Promise<BlockHeader[]> {
  const headers: BlockHeader[] = []
  for (let start = 0; start < numbers.length; start += HEADER_CONCURRENCY) {
    const batch = numbers.slice(start, start + HEADER_CONCURRENCY)
    headers.push(...(await Promise.all(batch.map((number) => source.getHeader(number)))))
  }
  return headers
}
