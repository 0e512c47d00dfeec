import {
  type BlockComparison,
  type BlockHeader,
  type BlockIdentity,
  type Chain,
  compareBlock,
  createLogReader,
  findHeader,
  getHeaders,
  type LogRange,
  type LogRequest,
  requestOutcomes,
} from '@mintmark/evm-reader'
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
  /** Reads headers in batches. @throws ChainChangedError when the node lacks one of the blocks. */
  getHeaders(blocks: readonly number[]): Promise<BlockHeader[]>
  compareBlock(block: BlockIdentity): Promise<BlockComparison>
  /** Reads the transfer events of a range of blocks, as many of them as the node accepts. */
  readTransfers(request: TransferRequest): Promise<LogRange>
  /**
   * Whether an address has code in each of these blocks. An item is undefined if the node no longer has the
   * state of that block.
   */
  listHasCode(address: string, blocks: readonly number[]): Promise<(boolean | undefined)[]>
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
    getHeaders: (blocks) => getHeaders(chain, blocks),
    compareBlock: (block) => compareBlock(chain, block),
    readTransfers: ({ addresses, ...request }) =>
      reader.read({ ...request, filter: { addresses, topics: [TRANSFER_TOPICS] } }),
    listHasCode: (address, blocks) => requestHasCode(chain, address, blocks),
  }
}

async function requestHasCode(
  chain: Chain,
  address: string,
  blocks: readonly number[],
): Promise<(boolean | undefined)[]> {
  const calls = blocks.map((block) => ({
    method: 'eth_getCode',
    params: [address, `0x${block.toString(16)}`],
  }))
  // A node that responds with an error no longer has the state of the block.
  const outcomes = await requestOutcomes(chain, calls)
  return outcomes.map((outcome) => ('result' in outcome ? outcome.result !== '0x' : undefined))
}

/** Blocks whose state is read at the same time, in the search of a contract's first block. */
const STATE_BATCH = 8

/**
 * Finds the first block in which an address has code. Returns undefined when it has none at `head`, and 0
 * when the node does not have old states: the indexer then reads more blocks than necessary and misses
 * nothing.
 */
export async function findDeploymentBlock(
  source: Pick<BlockSource, 'listHasCode'>,
  address: string,
  head: number,
): Promise<number | undefined> {
  const [atHead] = await source.listHasCode(address, [head])
  if (atHead === false) return undefined
  let low = 0
  let high = head
  while (low < high) {
    const step = Math.ceil((high - low) / STATE_BATCH)
    const blocks: number[] = []
    for (let block = low; block < high; block += step) blocks.push(block)
    const hasCode = await source.listHasCode(address, blocks)
    const empty = hasCode.lastIndexOf(false)
    const deployed = hasCode.indexOf(true, empty + 1)
    // Without the state of the blocks between, the first of them may be the one.
    if (hasCode.slice(empty + 1, deployed === -1 ? undefined : deployed).includes(undefined)) return 0
    low = empty === -1 ? low : (blocks[empty] ?? low) + 1
    high = deployed === -1 ? high : (blocks[deployed] ?? high)
  }
  return low
}
