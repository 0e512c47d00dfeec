import type { Chain } from '@mintmark/server-kit'
import { type Hex, toEventSelector } from 'viem'
import type { SeenDeposit, Withdrawal } from './deposit-store.ts'
import { asHex, type Log } from '../transfer.ts'

/** What the treasury's logs in some blocks show, in the order of the chain. */
export interface TreasuryLogs {
  readonly deposits: readonly SeenDeposit[]
  readonly withdrawals: readonly Withdrawal[]
}

/** A block and the treasury's logs in it. */
export interface TreasuryBlock extends TreasuryLogs {
  readonly number: bigint
  readonly hash: string
  readonly parentHash: string
}

/** How the block of a number compares with a hash recorded earlier; unknown when the node lacks the block. */
export type BlockComparison = 'same' | 'different' | 'unknown'

export interface TreasuryReader {
  /**
   * Reads a range in one request. A node behind the range's end answers without an error and leaves out the blocks it
   * lacks, so a log that is missing here may exist.
   */
  readRange(from: bigint, to: bigint): Promise<TreasuryLogs>
  /**
   * Reads consecutive blocks one by one, the logs by block hash: a node that lacks the block cannot answer, so the
   * logs are complete. Returns the blocks up to the first one that could not be read.
   *
   * @param parentHash Hash of the block before `from`, where it is known.
   * @throws what the chain threw, if not even the first block could be read.
   */
  readBlocks(from: bigint, to: bigint, parentHash?: string): Promise<TreasuryBlock[]>
  /** The hash of the canonical block; undefined when the node does not have it. */
  blockHash(number: bigint): Promise<Hex | undefined>
  compareBlock(number: bigint, hash: string): Promise<BlockComparison>
}

const DEPOSITED = toEventSelector('Deposited(address,uint256)')
const WITHDRAWN = toEventSelector('Withdrawn(address,uint256)')

type RpcLog = Omit<Log, 'logIndex'> & {
  readonly transactionHash: Hex | null
  readonly blockHash: Hex | null
  readonly blockNumber: Hex | null
  readonly logIndex: Hex | null
}

/** Reads the treasury contract's logs at `address`. */
export function createTreasuryReader(chain: Chain, address: string): TreasuryReader {
  const filter = { address: asHex(address), topics: [[DEPOSITED, WITHDRAWN]] }

  async function readHeader(number: bigint): Promise<{ hash: Hex; parentHash: Hex } | undefined> {
    const block = await chain.client.request({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, false],
    })
    if (!block?.hash) return undefined
    return { hash: block.hash, parentHash: block.parentHash }
  }

  async function readBlock(number: bigint): Promise<TreasuryBlock | undefined> {
    const header = await readHeader(number)
    if (header === undefined) return undefined
    const logs = await chain.client.request({
      method: 'eth_getLogs',
      params: [{ ...filter, blockHash: header.hash }],
    })
    const read = readLogs(chain.id, logs)
    const elsewhere = [...read.deposits, ...read.withdrawals].some(
      ({ blockHash }) => blockHash !== header.hash,
    )
    if (elsewhere) throw new Error(`The node returned logs of another block than ${header.hash}.`)
    return { number, ...header, ...read }
  }

  return {
    async readRange(from, to) {
      const range = { fromBlock: asQuantity(from), toBlock: asQuantity(to) }
      const logs = await chain.client.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })
      return readLogs(chain.id, logs)
    },

    async readBlocks(from, to, parentHash) {
      const numbers = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))
      const results = await Promise.allSettled(numbers.map(readBlock))
      const blocks: TreasuryBlock[] = []
      for (const result of results) {
        if (result.status === 'rejected') {
          if (blocks.length === 0) throw result.reason
          break
        }
        const block = result.value
        const expectedParent = blocks.at(-1)?.hash ?? parentHash
        // Headers of two different forks: the next pass finds out which one is canonical.
        const linked = expectedParent === undefined || block?.parentHash === expectedParent
        if (block === undefined || !linked) break
        blocks.push(block)
      }
      return blocks
    },

    blockHash: async (number) => (await readHeader(number))?.hash,

    async compareBlock(number, hash) {
      const header = await readHeader(number)
      if (header === undefined) return 'unknown'
      return header.hash === hash ? 'same' : 'different'
    },
  }
}

const asQuantity = (number: bigint): Hex => `0x${number.toString(16)}`

function readLogs(chainId: number, logs: readonly RpcLog[]): TreasuryLogs {
  const positions = new Map<string, number>()
  const deposits: SeenDeposit[] = []
  const withdrawals: Withdrawal[] = []
  for (const log of logs) {
    const [event, indexed = ''] = log.topics
    const place = readPlace(log)
    const key = `${event}/${place.hash}`
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    const wallet = `0x${indexed.slice(26).toLowerCase()}`
    const amount = BigInt(log.data)
    if (event === WITHDRAWN) withdrawals.push({ ...place, position, recipient: wallet, amount })
    // A treasury contract other than ours may report a deposit of nothing. The ledger has no entries of 0.
    else if (amount > 0n) deposits.push({ chainId, ...place, position, payer: wallet, amount, lost: false })
  }
  return { deposits, withdrawals }
}

function readPlace({ transactionHash, blockHash, blockNumber, logIndex }: RpcLog) {
  if (!transactionHash || !blockHash || !blockNumber || !logIndex)
    throw new Error('The node returned a log of a final block without its place on the chain.')
  return {
    hash: transactionHash,
    logIndex: Number(logIndex),
    blockNumber: BigInt(blockNumber),
    blockHash,
  }
}
