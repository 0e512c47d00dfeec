import { createAdaptiveRange } from './adaptive-range.ts'
import { type BlockHeader, ChainChangedError, findHeader, parseHeader, toQuantity } from './block-header.ts'
import type { Chain } from './chains.ts'
import { joinLogs, type LogFilter, type NodeLog, readLogsOfBlock, toLogCalls } from './node-logs.ts'
import { isRangeTooLarge } from './range-too-large.ts'
import { waitForRateLimit } from './rate-limit.ts'

export interface LogRequest {
  readonly filter: LogFilter
  readonly from: number
  /** The last block to read, at least `from`. */
  readonly to: number
  /** The newest block that the caller has read: the head, or the final block. The blocks just before it are read by their hashes. */
  readonly newest: Pick<BlockHeader, 'number' | 'time'>
  /** The hash of the block before `from`, if known. */
  readonly parentHash?: string | undefined
}

/** The logs of some blocks, all from one version of the chain, in the chain's order. */
export interface LogRange {
  readonly from: number
  /** The last block that was read: the request's last block, or an earlier one if the node refuses or lacks the others. */
  readonly to: number
  readonly logs: readonly NodeLog[]
  /** The headers that were read, ascending. Contains the header of the block `to`. */
  readonly headers: readonly BlockHeader[]
}

/** Reads the logs of contracts. */
export interface LogReader {
  /**
   * Reads logs from the block `from` on, as many blocks as a node returns in one step. The logs are complete: blocks of the last
   * `recentSeconds` are read by hash, so that a node without them responds with an error, and earlier blocks in one batch with the header of
   * the last of them, so that the node that responds has it.
   *
   * @throws ChainChangedError when a node lacks the blocks, or the responses contradict each other. BlockUnreadableError when no node returns
   * the logs of a block. viem's errors.
   */
  read(request: LogRequest): Promise<LogRange>
  /** Reads the logs of one block, by its hash. @throws Like `read`. */
  readBlock(filter: LogFilter, number: number): Promise<readonly NodeLog[]>
}

export interface LogReaderOptions {
  /** Most blocks per request. Fewer are requested when a node refuses. Default: 2,000. */
  readonly maxBlocks?: number
  /**
   * Time before the newest block whose blocks are read by hash. Some providers send requests for logs to other nodes than the rest of a batch,
   * and such a node may lag. `Infinity`: every block is read by hash. 0: none, for callers to whom the absence of a log proves nothing.
   * Default: 60.
   */
  readonly recentSeconds?: number
}

const DEFAULT_MAX_BLOCKS = 2_000
const DEFAULT_RECENT_SECONDS = 60
/** Blocks that are read by hash concurrently, and in one step. */
const HASH_CONCURRENCY = 16
const HASH_STEP = 64
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
    readBlock: (filter, number) =>
      waitForRateLimit(async () => readLogsOfBlock(chain, filter, await getHeader(chain, number))),
  }
}

async function readPart(reading: Reading, request: LogRequest): Promise<LogRange> {
  if (isReadByHash(reading, request)) return await readByHash(reading.chain, request)
  const { newest } = request
  const part = await readInBatch(reading.chain, request)
  if (!isRecent(reading, part.last, newest)) return part.range
  const first = await findFirstRecentBlock(reading, request)
  reading.recent = { from: first, newestTime: newest.time }
  if (first === request.from) return await readByHash(reading.chain, request)
  return await cutBefore(reading.chain, part, first)
}

/** Keeps the blocks of a range that are before the block `end`. */
async function cutBefore(
  chain: Chain,
  { range, last }: { range: LogRange; last: BlockHeader },
  end: number,
): Promise<LogRange> {
  const newLast = await getHeader(chain, end - 1)
  // The header belongs to the version of the chain that the logs come from if the last block is still the same.
  if ((await getHeader(chain, last.number)).hash !== last.hash)
    throw new ChainChangedError(`block ${last.number} changed`)
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

/** Finds the first recent block of a range whose last block is recent, by bisection. */
async function findFirstRecentBlock(reading: Reading, { from, to, newest }: LogRequest): Promise<number> {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isRecent(reading, await getHeader(reading.chain, middle), newest)) high = middle
    else low = middle + 1
  }
  return low
}

/** The calls of a batch, and where their results are. */
const LATEST = 0
const LAST_BEFORE = 1
const FIRST_LOGS = 2

/**
 * Reads a range in one batch: the header of its last block before and after the logs. A node that lags clamps the range to its newest block,
 * which is then the last one.
 */
async function readInBatch(
  chain: Chain,
  { filter, from, to, parentHash }: LogRequest,
): Promise<{ range: LogRange; last: BlockHeader }> {
  const logCalls = toLogCalls(filter, { fromBlock: toQuantity(from), toBlock: toQuantity(to) })
  const results = await chain.requestBatch([
    toHeaderCall('latest'),
    toHeaderCall(toQuantity(to)),
    ...logCalls,
    toHeaderCall(toQuantity(to)),
    ...(parentHash === undefined ? [] : [toHeaderCall(toQuantity(from))]),
  ])
  const endOfLogs = FIRST_LOGS + logCalls.length
  const before = parseHeader(results[LAST_BEFORE])
  const after = parseHeader(results[endOfLogs])
  if (after?.hash !== before?.hash) throw new ChainChangedError(`block ${to} changed`)
  if (parentHash !== undefined && parseHeader(results[endOfLogs + 1])?.parentHash !== parentHash)
    throw new ChainChangedError(`block ${from} has another parent, or is missing`)
  const last = before ?? getClampedEnd(parseHeader(results[LATEST]), from, to)
  const logs = joinLogs(results.slice(FIRST_LOGS, endOfLogs))
  checkPositions(logs, from, last)
  return { range: { from, to: last.number, logs, headers: [last] }, last }
}

const toHeaderCall = (block: string) => ({ method: 'eth_getBlockByNumber', params: [block, false] })

/** Returns the newest block of a node that has not reached the end of a range. */
function getClampedEnd(latest: BlockHeader | undefined, from: number, to: number): BlockHeader {
  if (latest === undefined || latest.number < from) throw new ChainChangedError(`block ${from} is missing`)
  if (latest.number >= to) throw new ChainChangedError(`block ${to} is missing`)
  return latest
}

/** Checks that logs are in blocks of the range, and that those of its last block are in the block with this header. */
function checkPositions(logs: readonly NodeLog[], from: number, last: BlockHeader): void {
  for (const { blockNumber, blockHash } of logs) {
    const number = Number(blockNumber)
    if (number < from || number > last.number)
      throw new ChainChangedError(`the node returned a log of block ${number}, which was not requested`)
    if (number === last.number && blockHash !== last.hash)
      throw new ChainChangedError(`block ${number} changed`)
  }
}

/** A block that was read by its hash. */
interface HashedBlock {
  readonly header: BlockHeader
  readonly logs: readonly NodeLog[]
}

/** Reads the first blocks of a range by their hashes, up to one that cannot be read or does not follow the one before. */
async function readByHash(chain: Chain, { filter, from, to, parentHash }: LogRequest): Promise<LogRange> {
  const last = Math.min(to, from + HASH_STEP - 1)
  const blocks: HashedBlock[] = []
  for (let next = from; next <= last; next = from + blocks.length) {
    const size = Math.min(HASH_CONCURRENCY, last - next + 1)
    const numbers = Array.from({ length: size }, (_, index) => next + index)
    const results = await Promise.allSettled(numbers.map((number) => readHashedBlock(chain, filter, number)))
    const linked = takeLinked(results, blocks.at(-1)?.header.hash ?? parentHash, next === from)
    blocks.push(...linked)
    if (linked.length < size) break
  }
  const headers = blocks.map(({ header }) => header)
  return { from, to: from + blocks.length - 1, logs: blocks.flatMap(({ logs }) => logs), headers }
}

async function readHashedBlock(chain: Chain, filter: LogFilter, number: number): Promise<HashedBlock> {
  const header = await getHeader(chain, number)
  return { header, logs: await readLogsOfBlock(chain, filter, header) }
}

/**
 * Takes the first blocks that were read and follow each other.
 *
 * @param isRequired Whether there must be one.
 */
function takeLinked(
  results: readonly PromiseSettledResult<HashedBlock>[],
  parentHash: string | undefined,
  isRequired: boolean,
): HashedBlock[] {
  const blocks: HashedBlock[] = []
  for (const result of results) {
    const mustThrow = isRequired && blocks.length === 0
    if (result.status === 'rejected') {
      if (mustThrow) throw result.reason
      break
    }
    const { header } = result.value
    const expectedParent = blocks.at(-1)?.header.hash ?? parentHash
    if (expectedParent !== undefined && header.parentHash !== expectedParent) {
      if (mustThrow) throw new ChainChangedError(`block ${header.number} has another parent`)
      break
    }
    blocks.push(result.value)
  }
  return blocks
}

async function getHeader(chain: Chain, number: number): Promise<BlockHeader> {
  const header = await findHeader(chain, number)
  if (header === undefined) throw new ChainChangedError(`block ${number} is missing`)
  return header
}
