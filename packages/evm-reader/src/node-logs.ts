import type { Hex } from 'viem'
import type { Chain } from './chains.ts'
import { type BlockHeader, ChainChangedError } from './header-parsing.ts'
import { isRangeTooLarge } from './range-too-large.ts'
import { describeChainError } from './rpc-error.ts'
import type { RpcCall } from './rpc-request.ts'

/** A log as `eth_getLogs` returns it. */
export interface NodeLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: string
  readonly transactionHash: string
  readonly logIndex: Hex
  /** The time of the block, by nodes that include it. */
  readonly blockTimestamp?: Hex | null
}

/** Selects logs. */
export interface LogFilter {
  /** The contracts, at least one. */
  readonly addresses: readonly string[]
  /** By position: a topic, alternatives, or null for any. */
  readonly topics: readonly (string | readonly string[] | null)[]
}

/** No node returns the logs of a block, by any request. */
export class BlockUnreadableError extends Error {
  override readonly name = 'BlockUnreadableError'
  readonly block: number

  constructor(block: number, reason: string) {
    super(`The logs of block ${block} cannot be read: ${reason}`)
    this.block = block
  }
}

/** Most addresses in one request. */
const ADDRESSES_PER_REQUEST = 500

/** Creates the calls that read the logs of a range of blocks or of one block. */
export function toLogCalls({ addresses, topics }: LogFilter, blocks: object): RpcCall[] {
  const calls: RpcCall[] = []
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_REQUEST) {
    const address = addresses.slice(start, start + ADDRESSES_PER_REQUEST)
    calls.push({ method: 'eth_getLogs', params: [{ ...blocks, address, topics }] })
  }
  return calls
}

/** Joins the results of `toLogCalls`. */
export function joinLogs(results: readonly unknown[]): NodeLog[] {
  const logs: NodeLog[] = []
  for (const result of results) {
    // As execution clients return it. One by one: a call of `push` with this many arguments can exceed the
    // stack.
    for (const log of result as NodeLog[]) logs.push(log)
  }
  return logs
}

/**
 * Reads the logs of one block, by its hash: a node without the block returns an error instead of an empty
 * list. A node may refuse a block with too many logs. Then fewer contracts are requested, down to one, whose
 * logs are finally taken from the receipts of the block's transactions.
 *
 * @throws BlockUnreadableError when the node refuses all of these.
 */
export async function readLogsOfBlock(
  chain: Chain,
  filter: LogFilter,
  block: Pick<BlockHeader, 'number' | 'hash'>,
): Promise<readonly NodeLog[]> {
  try {
    const logs = await requestLogs(chain, filter, block.hash)
    if (logs.some(({ blockHash }) => blockHash !== block.hash))
      throw new ChainChangedError(`the node returned logs of another block than ${block.hash}`)
    return logs
  } catch (error) {
    if (!isRangeTooLarge(error)) throw error
    const { addresses } = filter
    const [address] = addresses
    if (address === undefined) throw error
    if (addresses.length === 1) return await readReceiptLogs(chain, filter, block)
    const middle = Math.ceil(addresses.length / 2)
    const first = { ...filter, addresses: addresses.slice(0, middle) }
    const second = { ...filter, addresses: addresses.slice(middle) }
    return [...(await readLogsOfBlock(chain, first, block)), ...(await readLogsOfBlock(chain, second, block))]
  }
}

type Request = (call: RpcCall) => Promise<unknown>

async function requestLogs({ bulkClient }: Chain, filter: LogFilter, blockHash: string): Promise<NodeLog[]> {
  // viem's typed methods parse every field of every log. A single block cannot be split, so its response may
  // be larger.
  const request = bulkClient.request as Request
  const results: unknown[] = []
  for (const call of toLogCalls(filter, { blockHash })) results.push(await request(call))
  return joinLogs(results)
}

async function readReceiptLogs(
  { bulkClient }: Chain,
  filter: LogFilter,
  { number, hash }: Pick<BlockHeader, 'number' | 'hash'>,
): Promise<readonly NodeLog[]> {
  const request = bulkClient.request as Request
  let response: unknown
  try {
    response = await request({ method: 'eth_getBlockReceipts', params: [hash] })
  } catch (error) {
    if (!isRangeTooLarge(error)) throw error
    throw new BlockUnreadableError(number, describeChainError(error))
  }
  // As execution clients return it.
  const receipts = response as { logs: NodeLog[] }[] | null
  if (receipts === null) throw new ChainChangedError(`block ${number} is missing`)
  return receipts.flatMap(({ logs }) => logs).filter((log) => matches(log, filter))
}

function matches({ address, topics }: NodeLog, filter: LogFilter): boolean {
  const isOfContract = filter.addresses.some((contract) => contract.toLowerCase() === address.toLowerCase())
  return isOfContract && filter.topics.every((alternatives, position) => fits(topics[position], alternatives))
}

function fits(topic: string | undefined, alternatives: LogFilter['topics'][number]): boolean {
  if (alternatives === null) return true
  const list = typeof alternatives === 'string' ? [alternatives] : alternatives
  return topic !== undefined && list.some((each) => each.toLowerCase() === topic.toLowerCase())
}
