import { type Chain, findRpcError } from '@mintmark/server-kit'
import { type NodeLog, TRANSFER_TOPICS } from '../transfers/transfer-logs.ts'

/** The chain changed during a read, so the parts of the result do not belong together. The next run repeats the read. */
export class ChainChangedError extends Error {
  override readonly name = 'ChainChangedError'
}

/** The fields of a block header that identify the block and its place in the chain. */
export interface Header {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds, by the chain's clock. */
  readonly time: number
}

/** Reads the blocks and transfer events of one chain. Every method can throw viem's errors. */
export interface BlockSource {
  readonly chainId: string
  getHead(): Promise<Header>
  /** Returns the number of the newest final block. */
  getFinalBlock(): Promise<number>
  /** Returns undefined when the node does not have the block. */
  findHeader(block: number): Promise<Header | undefined>
  /** Lists the transfer events of contracts in a range of blocks, both ends included. */
  listLogs(from: number, to: number, addresses: readonly string[]): Promise<readonly NodeLog[]>
  /** Lists the transfer events in one block, by its hash: a node without the block returns an error instead of an empty list. */
  listBlockLogs(block: Header, addresses: readonly string[]): Promise<readonly NodeLog[]>
  /** Lists the transfer events of one contract from the receipts of a block. Returns undefined when the node does not have the block. */
  findReceiptLogs(block: Header, address: string): Promise<readonly NodeLog[] | undefined>
  /** Whether an address has code in a block. Returns undefined when the node no longer has the state of that block. */
  hasCode(address: string, block: number): Promise<boolean | undefined>
}

/** Most addresses in one request. */
const ADDRESSES_PER_REQUEST = 500

const toHex = (number: number): `0x${string}` => `0x${number.toString(16)}`

type Request = (call: { method: string; params: unknown[] }) => Promise<unknown>

export function createBlockSource(chain: Chain): BlockSource {
  // viem's typed methods parse every field of every log and block. The responses are large and most fields are not used.
  const request = chain.client.request as Request
  // A single block cannot be split, so its response may be larger.
  const bulkRequest = chain.bulkClient.request as Request
  return {
    chainId: String(chain.id),
    async getHead() {
      const head = await findBlock(request, 'latest')
      if (head === undefined) throw new Error('the node has no latest block')
      return head
    },
    getFinalBlock: async () => Number((await chain.finalBlock()).number),
    findHeader: (number) => findBlock(request, toHex(number)),
    listLogs: (from, to, addresses) =>
      requestLogs(request, { fromBlock: toHex(from), toBlock: toHex(to) }, addresses),
    listBlockLogs: ({ hash }, addresses) => requestLogs(bulkRequest, { blockHash: hash }, addresses),
    findReceiptLogs: ({ hash }, address) => requestReceiptLogs(bulkRequest, hash, address),
    hasCode: (address, number) => requestHasCode(request, address, number),
  }
}

/** The fields of a block that this module reads, as execution clients return them. */
interface NodeBlock {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly timestamp: string
}

async function findBlock(request: Request, tag: string): Promise<Header | undefined> {
  const response = await request({ method: 'eth_getBlockByNumber', params: [tag, false] })
  const block = response as NodeBlock | null
  if (block === null) return undefined
  const { hash, parentHash } = block
  return { number: Number(block.number), hash, parentHash, time: Number(block.timestamp) }
}

async function requestLogs(
  request: Request,
  range: object,
  addresses: readonly string[],
): Promise<NodeLog[]> {
  const logs: NodeLog[] = []
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_REQUEST) {
    const address = addresses.slice(start, start + ADDRESSES_PER_REQUEST)
    const filter = { ...range, address, topics: [TRANSFER_TOPICS] }
    // As execution clients return it.
    const part = (await request({ method: 'eth_getLogs', params: [filter] })) as NodeLog[]
    // One by one: a call of `push` with this many arguments can exceed the stack.
    for (const log of part) logs.push(log)
  }
  return logs
}

async function requestReceiptLogs(
  request: Request,
  hash: string,
  address: string,
): Promise<readonly NodeLog[] | undefined> {
  const response = await request({ method: 'eth_getBlockReceipts', params: [hash] })
  // As execution clients return it.
  const receipts = response as { logs: NodeLog[] }[] | null
  return receipts?.flatMap(({ logs }) => logs).filter((log) => isTransferOf(log, address))
}

async function requestHasCode(
  request: Request,
  address: string,
  block: number,
): Promise<boolean | undefined> {
  try {
    return (await request({ method: 'eth_getCode', params: [address, toHex(block)] })) !== '0x'
  } catch (error) {
    // The node responded, so it no longer has the state of this block.
    if (findRpcError(error) !== undefined) return undefined
    throw error
  }
}

const isTransferOf = ({ address, topics: [topic = ''] }: NodeLog, contract: string): boolean =>
  address.toLowerCase() === contract.toLowerCase() && TRANSFER_TOPICS.includes(topic)

/**
 * Finds the first block in which an address has code, by bisection. Returns undefined when it has none at `head`, and 0 when the node does
 * not have old states: the indexer then reads more blocks than necessary and misses nothing.
 */
export async function findDeploymentBlock(
  source: Pick<BlockSource, 'hasCode'>,
  address: string,
  head: number,
): Promise<number | undefined> {
  if ((await source.hasCode(address, head)) === false) return undefined
  let low = 0
  let high = head
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const isDeployed = await source.hasCode(address, middle)
    if (isDeployed === undefined) return 0
    if (isDeployed) high = middle
    else low = middle + 1
  }
  return low
}
