import { createAdaptiveRange } from './adaptive-range.ts'
import { getHeaderAsOf, getHeaders } from './block-header.ts'
import type { Chain } from './chains.ts'
import { readBlocksByHash } from './hashed-blocks.ts'
import {
  type BlockHeader,
  ChainChangedError,
  parseHeader,
  toHeaderCall,
  toQuantity,
} from './header-parsing.ts'
import { checkNewest, type LogRange, type LogRequest } from './log-range.ts'
import { joinLogs, type LogFilter, type NodeLog, readLogsOfBlock, toLogCalls } from './node-logs.ts'
import { isRangeTooLarge } from './range-too-large.ts'
import { waitForRateLimit } from './rate-limit.ts'

/** Reads the logs of contracts. */
export interface LogReader {
  /**
   * Reads logs from the block `from` on, as many blocks as a node returns in one step. The logs are complete:
   * blocks of the last `recentSeconds` are read by hash, so that a node without them responds with an error,
   * and earlier blocks in one batch with the header of the last of them, so that the node that responds has
   * it.
   *
   * @throws ChainChangedError when a node lacks the blocks, or the responses contradict each other.
   * BlockUnreadableError when no node returns the logs of a block. viem's errors.
   */
  read(request: LogRequest): Promise<LogRange>
  /**
   * Reads the logs of one block, by its hash, which a node returns that has the block `asOf`.
   *
   * @throws Like `read`.
   */
  readBlock(
    filter: LogFilter,
    number: number,
    asOf: { readonly number: number; readonly hash: string },
  ): Promise<readonly NodeLog[]>
}

export interface LogReaderOptions {
  /** Most blocks per request. Fewer are requested when a node refuses. Default: 2,000. */
  readonly maxBlocks?: number
  /**
   * Time before the newest block whose blocks are read by hash. Some providers send requests for logs to
   * other nodes than the rest of a batch, and such a node may lag. `Infinity`: every block is read by hash.
   * 0: none, for callers to whom the absence of a log proves nothing. Default: 60.
   */
  readonly recentSeconds?: number
}

const DEFAULT_MAX_BLOCKS = 2_000
const DEFAULT_RECENT_SECONDS = 60
/** Blocks whose age is read at the same time, in the search of the first recent block. */
const AGE_BATCH = 32
/** The newest blocks that are read by hash without reading their age, which would take longer. */
const HEAD_BLOCKS = 8

interface Reading {
  readonly chain: Chain
  readonly recentSeconds: number
  /** Blocks from `from` on were recent when the newest block had this time. */
  recent: { readonly from: number; readonly newestTime: number } | undefined
}

/**
 * Creates a reader of the logs of one chain. It remembers how many blocks the node accepts in one request.
 *
 * @example
 * const reader = createLogReader(chain)
 * const { logs, to } = await reader.read({ filter, from: 100, to: 5_000, newest: head })
 */
export function createLogReader(chain: Chain, options: LogReaderOptions = {}): LogReader {
  const { maxBlocks = DEFAULT_MAX_BLOCKS, recentSeconds = DEFAULT_RECENT_SECONDS } = options
  const range = createAdaptiveRange(maxBlocks)
  const reading: Reading = { chain, recentSeconds, recent: undefined }
  return {
    async read(request) {
      for (;;) {
        const to = Math.min(request.to, request.from + range.blocks - 1)
        try {
          const part = await waitForRateLimit(() => readPart(reading, { ...request, to }))
          range.grow()
          return part
        } catch (error) {
          const size = to - request.from + 1
          if (!isRangeTooLarge(error) || size === 1) throw error
          range.shrink(size)
        }
      }
    },
    readBlock: (filter, number, asOf) =>
      waitForRateLimit(async () => readLogsOfBlock(chain, filter, await getHeaderAsOf(chain, number, asOf))),
  }
}

async function readPart(reading: Reading, request: LogRequest): Promise<LogRange> {
  if (isReadByHash(reading, request)) return await readBlocksByHash(reading.chain, request)
  const { newest } = request
  const part = await readInBatch(reading.chain, request)
  if (!isRecent(reading, part.last, newest)) return part.range
  const first = await findFirstRecentBlock(reading, request)
  reading.recent = { from: first, newestTime: newest.time }
  if (first === request.from) return await readBlocksByHash(reading.chain, request)
  return await cutBefore(reading.chain, part, first)
}

/** Keeps the blocks of a range that are before the block `end`. */
async function cutBefore(
  chain: Chain,
  { range, last }: { range: LogRange; last: BlockHeader },
  end: number,
): Promise<LogRange> {
  // One node responds to both, so that the new end belongs to the version of the chain that the logs come
  // from.
  const headers = await chain.requestBatch(
    [end - 1, last.number].map((each) => toHeaderCall(toQuantity(each))),
  )
  const [newLast, sameLast] = headers.map(parseHeader)
  if (newLast === undefined) throw new ChainChangedError(`block ${end - 1} is missing`)
  if (sameLast?.hash !== last.hash) throw new ChainChangedError(`block ${last.number} changed`)
  const logs = range.logs.filter(({ blockNumber }) => Number(blockNumber) < end)
  checkPositions(logs, range.from, newLast)
  return { from: range.from, to: newLast.number, logs, headers: [newLast] }
}

/** Whether the blocks are read by hash, because they are known to be recent or because every block is. */
function isReadByHash({ recentSeconds, recent }: Reading, { from, to, newest }: LogRequest): boolean {
  if (from === to || recentSeconds === Number.POSITIVE_INFINITY) return true
  if (recentSeconds === 0) return false
  if (from > newest.number - HEAD_BLOCKS) return true
  return recent !== undefined && from >= recent.from && newest.time < recent.newestTime + recentSeconds
}

const isRecent = ({ recentSeconds }: Reading, { time }: BlockHeader, newest: LogRequest['newest']): boolean =>
  recentSeconds > 0 && time > newest.time - recentSeconds

/**
 * Finds the first recent block of a range whose last block is recent. Reads the ages of several blocks at a
 * time.
 */
async function findFirstRecentBlock(reading: Reading, { from, to, newest }: LogRequest): Promise<number> {
  let low = from
  let high = to
  while (low < high) {
    const step = Math.ceil((high - low) / AGE_BATCH)
    const numbers: number[] = []
    for (let number = low; number < high; number += step) numbers.push(number)
    const headers = await getHeaders(reading.chain, numbers)
    const recent = headers.find((header) => isRecent(reading, header, newest))
    const earlier = headers.findLast((header) => header.number < (recent?.number ?? high))
    high = recent?.number ?? high
    low = earlier === undefined ? high : earlier.number + 1
  }
  return low
}

/** The calls of a batch, and where their results are. */
const LATEST = 0
const LAST_BEFORE = 1
const FIRST_LOGS = 2

/**
 * Reads a range in one batch: the header of its last block before and after the logs. A node that lags clamps
 * the range to its newest block, which is then the last one.
 */
async function readInBatch(
  chain: Chain,
  { filter, from, to, newest, parentHash }: LogRequest,
): Promise<{ range: LogRange; last: BlockHeader }> {
  const logCalls = toLogCalls(filter, { fromBlock: toQuantity(from), toBlock: toQuantity(to) })
  const results = await chain.requestBatch([
    toHeaderCall('latest'),
    toHeaderCall(toQuantity(to)),
    ...logCalls,
    toHeaderCall(toQuantity(to)),
    ...(newest.hash === undefined ? [] : [toHeaderCall(toQuantity(newest.number))]),
    ...(parentHash === undefined ? [] : [toHeaderCall(toQuantity(from))]),
  ])
  const endOfLogs = FIRST_LOGS + logCalls.length
  const before = parseHeader(results[LAST_BEFORE])
  const after = parseHeader(results[endOfLogs])
  if (after?.hash !== before?.hash) throw new ChainChangedError(`block ${to} changed`)
  checkNewest(newest, parseHeader(results[endOfLogs + 1]))
  if (parentHash !== undefined && parseHeader(results.at(-1))?.parentHash !== parentHash)
    throw new ChainChangedError(`block ${from} has another parent, or is missing`)
  const last = before ?? getClampedEnd(parseHeader(results[LATEST]), from, to)
  const logs = joinLogs(results.slice(FIRST_LOGS, endOfLogs))
  checkPositions(logs, from, last)
  return { range: { from, to: last.number, logs, headers: [last] }, last }
}

/** Returns the newest block of a node that has not reached the end of a range. */
function getClampedEnd(latest: BlockHeader | undefined, from: number, to: number): BlockHeader {
  if (latest === undefined || latest.number < from) throw new ChainChangedError(`block ${from} is missing`)
  if (latest.number >= to) throw new ChainChangedError(`block ${to} is missing`)
  return latest
}

/**
 * Checks that logs are in blocks of the range, and that those of its last block are in the block with this
 * header.
 */
function checkPositions(logs: readonly NodeLog[], from: number, last: BlockHeader): void {
  for (const { blockNumber, blockHash } of logs) {
    const number = Number(blockNumber)
    if (number < from || number > last.number)
      throw new ChainChangedError(`the node returned a log of block ${number}, which was not requested`)
    if (number === last.number && blockHash !== last.hash)
      throw new ChainChangedError(`block ${number} changed`)
  }
}
