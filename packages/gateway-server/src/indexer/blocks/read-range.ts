import type { NodeLog, TokenTransfer } from '../transfers/transfer-logs.ts'
import { decodeTransfers } from '../transfers/transfer-logs.ts'
import { readBlockLogs } from './block-logs.ts'
import { type BlockSource, ChainChangedError, type Header } from './block-source.ts'

/** The transfers in a range of blocks. */
export interface BlockRange {
  readonly from: number
  readonly to: number
  readonly transfers: readonly TokenTransfer[]
  /** Unix seconds by block number, for every block with transfers. */
  readonly times: ReadonlyMap<number, number>
  /** Blocks whose hashes are stored, ascending. Contains the last block of the range. */
  readonly headers: readonly Header[]
}

export interface RangeRequest {
  readonly from: number
  readonly to: number
  readonly addresses: readonly string[]
  /** The first block whose hash is stored. */
  readonly keepFrom: number
  /** Stored hashes by block number. The range must fit them. */
  readonly storedHashes: ReadonlyMap<number, string>
}

/** Headers that are requested concurrently. */
const HEADER_CONCURRENCY = 20

/**
 * The newest `HEAD_BLOCKS` blocks are read one by one. Behind one address there are often several nodes, and a node that lags behind returns
 * an empty list for a range with blocks that it does not have.
 */
const HEAD_BLOCKS = 8

/**
 * Reads a range of blocks, all from the same version of the chain.
 *
 * @throws ChainChangedError when the chain was reorganized meanwhile, or when the range does not follow the stored blocks.
 */
export async function readRange(source: BlockSource, request: RangeRequest): Promise<BlockRange> {
  const { from, to, addresses } = request
  const keptNumbers = listKeptNumbers(request)
  // The last block is read before and after the logs. If it is the same, so are all blocks below it.
  const lastBefore = await getHeader(source, to)
  const logs = addresses.length === 0 ? [] : await readLogs(source, request)
  const logHashes = new Map(logs.map((log) => [Number(log.blockNumber), log.blockHash]))
  const headers = await getHeaders(source, new Set([...keptNumbers, ...logHashes.keys()]))
  if (headers.get(to)?.hash !== lastBefore.hash) throw new ChainChangedError(`block ${to} changed`)
  checkHeaders(headers, request.storedHashes, logHashes)
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

/** Returns the last block of a range that begins at `from`. A range does not cross the beginning of the newest blocks. */
export function getRangeEnd(
  from: number,
  { last, maxBlocks, head }: { last: number; maxBlocks: number; head: number },
): number {
  const to = Math.min(last, from + maxBlocks - 1)
  const lastBulkBlock = head - HEAD_BLOCKS
  return to > lastBulkBlock && from <= lastBulkBlock ? lastBulkBlock : to
}

function listKeptNumbers({ from, to, keepFrom }: RangeRequest): Set<number> {
  const numbers = new Set<number>([to])
  for (let number = Math.max(from, keepFrom); number <= to; number += 1) numbers.add(number)
  return numbers
}

function checkHeaders(
  headers: ReadonlyMap<number, Header>,
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

async function readLogs(
  source: BlockSource,
  { from, to, addresses }: RangeRequest,
): Promise<readonly NodeLog[]> {
  if (to - from >= HEAD_BLOCKS) return await source.listLogs(from, to, addresses)
  const logs: NodeLog[] = []
  for (let number = from; number <= to; number += 1) {
    const block = await getHeader(source, number)
    for (const log of await readBlockLogs(source, block, addresses)) logs.push(log)
  }
  return logs
}

async function getHeader(source: BlockSource, number: number): Promise<Header> {
  const header = await source.findHeader(number)
  if (header === undefined) throw new ChainChangedError(`block ${number} is missing`)
  return header
}

async function getHeaders(source: BlockSource, numbers: ReadonlySet<number>): Promise<Map<number, Header>> {
  const pending = [...numbers]
  const headers = new Map<number, Header>()
  for (let start = 0; start < pending.length; start += HEADER_CONCURRENCY) {
    const batch = pending.slice(start, start + HEADER_CONCURRENCY)
    for (const header of await Promise.all(batch.map((number) => getHeader(source, number))))
      headers.set(header.number, header)
  }
  return headers
}
