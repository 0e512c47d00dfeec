import {
  type BlockComparison,
  type BlockHeader,
  type BlockIdentity,
  type Chain,
  ChainChangedError,
  compareBlock,
  createLogReader,
  findHeader,
  findRpcError,
  type LogRange,
  type LogRequest,
} from '@mintmark/server-kit'
import { TRANSFER_TOPICS } from '../transfers/transfer-logs.ts'

/** A request for the transfer events of contracts. */
export interface TransferRequest extends Omit<LogRequest, 'filter'> {
  readonly addresses: readonly string[]
}

/** Reads the blocks and transfer events of one chain. Every method can throw viem's errors. */
export interface BlockSource {
  readonly chainId: string
  getHead(): Promise<BlockHeader>
  /** Returns the number of the newest final block. */
  getFinalBlock(): Promise<number>
  /** @throws ChainChangedError when the node lacks the block. */
  getHeader(block: number): Promise<BlockHeader>
  compareBlock(block: BlockIdentity): Promise<BlockComparison>
  /** Reads the transfer events of a range of blocks, as many of them as the node accepts. */
  readTransfers(request: TransferRequest): Promise<LogRange>
  /** Whether an address has code in a block. Returns undefined when the node no longer has the state of that block. */
  hasCode(address: string, block: number): Promise<boolean | undefined>
}

/** @param maxBlocks Most blocks per request. */
export function createBlockSource(chain: Chain, maxBlocks: number): BlockSource {
  const reader = createLogReader(chain, { maxBlocks })
  return {
    chainId: String(chain.id),
    async getHead() {
      const head = await findHeader(chain, 'latest')
      if (head === undefined) throw new Error('the node has no latest block')
      return head
    },
    getFinalBlock: async () => Number((await chain.finalBlock()).number),
    async getHeader(block) {
      const header = await findHeader(chain, block)
      if (header === undefined) throw new ChainChangedError(`block ${block} is missing`)
      return header
    },
    compareBlock: (block) => compareBlock(chain, block),
    readTransfers: ({ addresses, ...request }) =>
      reader.read({ ...request, filter: { addresses, topics: [TRANSFER_TOPICS] } }),
    hasCode: (address, block) => requestHasCode(chain, address, block),
  }
}

async function requestHasCode(
  { client }: Chain,
  address: string,
  block: number,
): Promise<boolean | undefined> {
  const [account, selected] = [`0x${address.slice(2)}`, `0x${block.toString(16)}`] as const
  try {
    return (await client.request({ method: 'eth_getCode', params: [account, selected] })) !== '0x'
  } catch (error) {
    // The node responded, so it no longer has the state of this block.
    if (findRpcError(error) !== undefined) return undefined
    throw error
  }
}

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
