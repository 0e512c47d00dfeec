import { type Chain, rpcErrorOf } from '@mintmark/server-kit'
import { type NodeLog, TRANSFER_TOPICS } from '../transfers/transfer-logs.ts'

/** The chain changed while it was read: what was read does not belong together. */
export class ChainMoved extends Error {
  override readonly name = 'ChainMoved'
}

/** Of a block what tells it apart and places it. */
export interface Header {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds, by the chain's clock. */
  readonly time: number
}

/** What the indexer asks of a chain; any of it can throw what viem throws. */
export interface ChainReader {
  readonly chainId: string
  /** The newest block. */
  head(): Promise<Header>
  /** The newest block that stays. */
  final(): Promise<number>
  /** A block by its number; undefined where the node has none. */
  header(block: number): Promise<Header | undefined>
  /** The transfer events of these contracts from one block to another, both included. */
  logs(from: number, to: number, addresses: readonly string[]): Promise<readonly NodeLog[]>
  /** The same of one block, by its hash: a node that does not have the block says so, and does not answer that there is none. */
  logsOf(block: Header, addresses: readonly string[]): Promise<readonly NodeLog[]>
  /** The transfer events of one contract in one block, from the receipts of all its transactions; undefined where the node has no such block. */
  receiptLogsOf(block: Header, address: string): Promise<readonly NodeLog[] | undefined>
  /** Whether code stands at an address as of a block; undefined where the node does not know any more. */
  hasCode(address: string, block: number): Promise<boolean | undefined>
}

/** More addresses than this are asked for in several requests. */
const ADDRESSES_AT_ONCE = 500

const hex = (number: number): `0x${string}` => `0x${number.toString(16)}`

type Request = (call: { method: string; params: unknown[] }) => Promise<unknown>

export function chainReader(chain: Chain): ChainReader {
  // viem's typed methods take every log and block apart; these answers are large, and little of them is wanted.
  const request = chain.client.request as Request
  // A single block cannot be split, so its response may be larger.
  const bulkRequest = chain.bulkClient.request as Request

  async function block(which: string): Promise<Header | undefined> {
    const found = (await request({ method: 'eth_getBlockByNumber', params: [which, false] })) as {
      number: string
      hash: string
      parentHash: string
      timestamp: string
    } | null
    if (found === null) return undefined
    const { hash, parentHash } = found
    return { number: Number(found.number), hash, parentHash, time: Number(found.timestamp) }
  }

  async function logs(send: Request, where: object, addresses: readonly string[]): Promise<NodeLog[]> {
    const found: NodeLog[] = []
    for (let at = 0; at < addresses.length; at += ADDRESSES_AT_ONCE) {
      const address = addresses.slice(at, at + ADDRESSES_AT_ONCE)
      const filter = { ...where, address, topics: [TRANSFER_TOPICS] }
      const some = (await send({ method: 'eth_getLogs', params: [filter] })) as NodeLog[]
      // One by one: a call with this many arguments can exceed the stack.
      for (const log of some) found.push(log)
    }
    return found
  }

  return {
    chainId: String(chain.id),
    async head() {
      const found = await block('latest')
      if (found === undefined) throw new Error('the node has no newest block')
      return found
    },
    final: async () => Number((await chain.finalBlock()).number),
    header: (number) => block(hex(number)),
    logs: (from, to, addresses) => logs(request, { fromBlock: hex(from), toBlock: hex(to) }, addresses),
    logsOf: ({ hash }, addresses) => logs(bulkRequest, { blockHash: hash }, addresses),
    async receiptLogsOf({ hash }, address) {
      const receipts = await bulkRequest({ method: 'eth_getBlockReceipts', params: [hash] })
      // As execution clients define it.
      const found = receipts as { logs: NodeLog[] }[] | null
      return found?.flatMap(({ logs }) => logs).filter((log) => isTransferOf(log, address))
    },
    async hasCode(address, number) {
      try {
        const code = await request({ method: 'eth_getCode', params: [address, hex(number)] })
        return code !== '0x'
      } catch (error) {
        // It answered, and has no state that old.
        if (rpcErrorOf(error) !== undefined) return undefined
        throw error
      }
    },
  }
}

const isTransferOf = ({ address, topics: [topic = ''] }: NodeLog, contract: string): boolean =>
  address.toLowerCase() === contract.toLowerCase() && TRANSFER_TOPICS.includes(topic)

/**
 * The first block with code at an address, found by halving; undefined where there is none at `head`. 0 where the node does not know old
 * states: then nothing is missed, and more is read.
 */
export async function startOfContract(
  reader: Pick<ChainReader, 'hasCode'>,
  address: string,
  head: number,
): Promise<number | undefined> {
  if ((await reader.hasCode(address, head)) === false) return undefined
  let [low, high] = [0, head]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const stands = await reader.hasCode(address, middle)
    if (stands === undefined) return 0
    if (stands) high = middle
    else low = middle + 1
  }
  return low
}
