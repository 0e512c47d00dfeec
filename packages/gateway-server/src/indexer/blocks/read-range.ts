import { isRangeTooLarge } from '@mintmark/server-kit'
import { type NodeLog, type TokenTransfer, transfersOf } from '../transfers/transfer-logs.ts'
import { readBlockLogs } from './block-logs.ts'
import { ChainMoved, type ChainReader, type Header } from './block-source.ts'

/** What stands in a span of blocks. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly transfers: readonly TokenTransfer[]
  /** Unix seconds of the blocks that hold transfers, by their numbers. */
  readonly times: ReadonlyMap<number, number>
  /** Blocks to keep, rising. The last one of the span is always among them. */
  readonly headers: readonly Header[]
}

export interface SpanAsked {
  readonly from: number
  readonly to: number
  readonly addresses: readonly string[]
  /** Headers from here on are read and kept. */
  readonly keepFrom: number
  /** Hashes of blocks that were read before, by their numbers: what is read must fit them. */
  readonly known: ReadonlyMap<number, string>
}

const HEADERS_AT_ONCE = 20

/**
 * Reads a span of blocks, all of it from one and the same chain.
 *
 * @throws ChainMoved where a reorganisation came between, or where the blocks do not follow those that are known.
 */
async function readSpan(reader: ChainReader, asked: SpanAsked): Promise<Span> {
  const { from, to, addresses, known } = asked
  const kept = new Set<number>([to])
  for (let number = Math.max(from, asked.keepFrom); number <= to; number += 1) kept.add(number)
  // Before the logs and after: between two sights of the same last block the chain below it did not change.
  const before = await headerOf(reader, to)
  const logs = addresses.length === 0 ? [] : await logsOf(reader, asked)
  const holding = new Map(logs.map((log) => [Number(log.blockNumber), log.blockHash]))
  const headers = await headersOf(reader, new Set([...kept, ...holding.keys()]))
  if (headers.get(to)?.hash !== before.hash) throw new ChainMoved(`block ${to} changed`)
  for (const { number, hash, parentHash } of headers.values()) {
    const expected = [known.get(number), holding.get(number)]
    if (expected.some((one) => one !== undefined && one !== hash))
      throw new ChainMoved(`block ${number} changed`)
    const parent = headers.get(number - 1)?.hash ?? known.get(number - 1)
    if (parent !== undefined && parent !== parentHash)
      throw new ChainMoved(`block ${number} follows another one`)
  }
  const transfers = logs.flatMap(transfersOf)
  return {
    ...{ from, to, transfers },
    times: new Map([...headers.values()].map(({ number, time }) => [number, time])),
    headers: [...headers.values()]
      .filter(({ number }) => kept.has(number))
      .sort((a, b) => a.number - b.number),
  }
}

/**
 * So many of the newest blocks are asked for one by one. Several nodes often stand behind one address, and one that is behind the others
 * answers a range that ends with blocks it does not have as if they were empty.
 */
const NEWEST_BLOCKS = 8

async function logsOf(reader: ChainReader, { from, to, addresses }: SpanAsked): Promise<readonly NodeLog[]> {
  if (to - from >= NEWEST_BLOCKS) return await reader.logs(from, to, addresses)
  const logs: NodeLog[] = []
  for (let number = from; number <= to; number += 1) {
    for (const log of await readBlockLogs(reader, await headerOf(reader, number), addresses)) logs.push(log)
  }
  return logs
}

/** Where a span ends that begins with `from`: before the newest blocks, or within them. */
export function endOfSpan(from: number, { last, most, head }: { last: number; most: number; head: number }) {
  const to = Math.min(last, from + most - 1)
  const settled = head - NEWEST_BLOCKS
  return to > settled && from <= settled ? settled : to
}

async function headerOf(reader: ChainReader, number: number): Promise<Header> {
  const header = await reader.header(number)
  if (header === undefined) throw new ChainMoved(`block ${number} is not there`)
  return header
}

async function headersOf(reader: ChainReader, numbers: ReadonlySet<number>): Promise<Map<number, Header>> {
  const all = [...numbers]
  const headers = new Map<number, Header>()
  for (let at = 0; at < all.length; at += HEADERS_AT_ONCE) {
    const some = await Promise.all(
      all.slice(at, at + HEADERS_AT_ONCE).map((number) => headerOf(reader, number)),
    )
    for (const header of some) headers.set(header.number, header)
  }
  return headers
}

/** How many blocks are asked for at once: half as many after a refusal, and again more, up to where the last refusal was. */
export interface RangeSize {
  read(reader: ChainReader, asked: SpanAsked): Promise<Span>
}

/** After so many answers in a row it is tried whether the node does more by now. */
const TRIED_AGAIN_AFTER = 16

export function rangeSize(most: number): RangeSize {
  let [blocks, bound, answers] = [most, most, 0]
  return {
    async read(reader, asked) {
      for (;;) {
        const to = Math.min(asked.to, asked.from + blocks - 1)
        try {
          const span = await readSpan(reader, { ...asked, to })
          answers += 1
          if (answers % TRIED_AGAIN_AFTER === 0) bound = Math.min(most, bound * 2)
          blocks = Math.min(bound, blocks + Math.ceil(blocks / 4))
          return span
        } catch (error) {
          const size = to - asked.from + 1
          if (!isRangeTooLarge(error) || size === 1) throw error
          ;[blocks, bound, answers] = [Math.floor(size / 2), size - 1, 0]
        }
      }
    },
  }
}
