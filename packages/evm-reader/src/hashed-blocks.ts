import { findHeaders } from './block-header.ts'
import type { Chain } from './chains.ts'
import { type BlockHeader, ChainChangedError } from './header-parsing.ts'
import { checkNewest, type LogRange, type LogRequest } from './log-range.ts'
import { joinLogs, type LogFilter, type NodeLog, readLogsOfBlock, toLogCalls } from './node-logs.ts'
import { isRangeTooLarge } from './range-too-large.ts'
import { requestOutcomes } from './request-outcomes.ts'

/** Blocks that are read by hash in one step. */
const HASH_STEP = 64
/**
 * The same with a newest block that the node must have. Nodes accept requests of that many calls and one
 * more.
 */
const PROVEN_STEP = 48
/** Calls for logs in one batch. Its response is read into memory as a whole. */
const LOG_CALLS_PER_BATCH = 16
/** Blocks that are read one by one at the same time, because the node did not return them in a batch. */
const SINGLE_CONCURRENCY = 16

/**
 * Reads the first blocks of a range by their hashes, up to one that cannot be read or does not follow the one
 * before. Any node may respond to each request: a node without a block returns an error instead of an empty
 * list.
 *
 * @throws ChainChangedError, BlockUnreadableError or viem's errors when the first block cannot be read.
 */
export async function readBlocksByHash(chain: Chain, request: LogRequest): Promise<LogRange> {
  const { filter, from, newest } = request
  const linked =
    newest.hash === undefined ? await readLinked(chain, request) : await readProven(chain, request)
  const logs = await readLogs(chain, filter, linked)
  const headers = linked.slice(0, logs.length)
  return { from, to: from + headers.length - 1, logs: logs.flat(), headers }
}

async function readLinked(chain: Chain, request: LogRequest): Promise<BlockHeader[]> {
  return takeLinked(await findHeaders(chain, listNumbers(request, HASH_STEP)), request)
}

/**
 * Reads headers in one request with the newest block, so that they belong to its version of the chain. If a
 * node accepts only smaller requests, the headers before the last request belong to it because each follows
 * the one before.
 */
async function readProven(chain: Chain, request: LogRequest): Promise<BlockHeader[]> {
  const { from, newest } = request
  const numbers = listNumbers(request, PROVEN_STEP)
  const headers = await findHeaders(chain, [...numbers, newest.number])
  checkNewest(newest, headers.pop())
  const linked = takeLinked(headers, request)
  if (linked.length < numbers.length)
    throw new ChainChangedError(`block ${from + linked.length} does not follow the one before, or is missing`)
  return linked
}

function listNumbers({ from, to }: LogRequest, step: number): number[] {
  const size = Math.min(to - from + 1, step)
  return Array.from({ length: size }, (_, index) => from + index)
}

/** Takes the first headers that follow each other, at least one. */
function takeLinked(
  headers: readonly (BlockHeader | undefined)[],
  { from, parentHash }: LogRequest,
): BlockHeader[] {
  const [first] = headers
  if (first === undefined) throw new ChainChangedError(`block ${from} is missing`)
  if (parentHash !== undefined && first.parentHash !== parentHash)
    throw new ChainChangedError(`block ${from} has another parent`)
  const linked = [first]
  for (const header of headers.slice(1)) {
    if (header === undefined || header.parentHash !== linked.at(-1)?.hash) break
    linked.push(header)
  }
  return linked
}

/**
 * Reads the logs of blocks, up to the first block that cannot be read. Throws if that is the first one of
 * all.
 */
async function readLogs(
  chain: Chain,
  filter: LogFilter,
  blocks: readonly BlockHeader[],
): Promise<(readonly NodeLog[])[]> {
  const batches = await requestLogs(chain, filter, blocks)
  const logs: (readonly NodeLog[])[] = []
  for (let start = 0; start < blocks.length; start += SINGLE_CONCURRENCY) {
    const results = await Promise.allSettled(
      blocks
        .slice(start, start + SINGLE_CONCURRENCY)
        .map(async (block, index) => batches[start + index] ?? (await readLogsOfBlock(chain, filter, block))),
    )
    for (const result of results) {
      if (result.status === 'fulfilled') logs.push(result.value)
      else if (logs.length === 0) throw result.reason
      else return logs
    }
  }
  return logs
}

/**
 * Requests the logs of blocks in batches. An item is undefined if the node did not return the logs of that
 * block in the batch.
 */
async function requestLogs(
  chain: Chain,
  filter: LogFilter,
  blocks: readonly BlockHeader[],
): Promise<(readonly NodeLog[] | undefined)[]> {
  const callsPerBlock = toLogCalls(filter, {}).length
  const batchSize = Math.max(1, Math.floor(LOG_CALLS_PER_BATCH / callsPerBlock))
  const batches: Promise<(readonly NodeLog[] | undefined)[]>[] = []
  for (let start = 0; start < blocks.length; start += batchSize)
    batches.push(requestBatch(chain, filter, blocks.slice(start, start + batchSize)))
  return (await Promise.all(batches)).flat()
}

async function requestBatch(
  chain: Chain,
  filter: LogFilter,
  blocks: readonly BlockHeader[],
): Promise<(readonly NodeLog[] | undefined)[]> {
  if (blocks.length === 1) return [undefined]
  const calls = blocks.map(({ hash }) => toLogCalls(filter, { blockHash: hash }))
  const [batch] = await Promise.allSettled([requestOutcomes(chain, calls.flat())])
  if (batch.status === 'rejected') {
    if (!isRangeTooLarge(batch.reason)) throw batch.reason
    return blocks.map(() => undefined)
  }
  const outcomes = [...batch.value]
  return blocks.map(({ hash }, index) => {
    const ofBlock = outcomes.splice(0, calls[index]?.length ?? 0)
    const results = ofBlock.flatMap((each) => ('result' in each ? [each.result] : []))
    if (results.length < ofBlock.length) return undefined
    const logs = joinLogs(results)
    return logs.every(({ blockHash }) => blockHash === hash) ? logs : undefined
  })
}
