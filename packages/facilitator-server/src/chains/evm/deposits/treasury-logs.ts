import type { Chain } from '@mintmark/server-kit'
import { type Hex, toEventSelector } from 'viem'
import { asHex, type Log } from '../transfer.ts'
import type { ObservedDeposit, Withdrawal } from './deposit-store.ts'

/** The treasury's deposits and withdrawals in some blocks, in the order of the chain. */
export interface TreasuryLogs {
  readonly deposits: readonly ObservedDeposit[]
  readonly withdrawals: readonly Withdrawal[]
}

/** A block and the treasury's logs in it. */
export interface TreasuryBlock extends TreasuryLogs {
  readonly number: bigint
  readonly hash: string
  readonly parentHash: string
}

/** How the block with a number compares with a recorded hash. `unknown`: the node lacks the block. */
export type BlockComparison = 'same' | 'different' | 'unknown'

export interface TreasuryReader {
  /**
   * Reads a range in one request. A node behind the end of the range omits the blocks that it lacks without an error, so a log that is
   * missing here may exist.
   */
  readRange(from: bigint, to: bigint): Promise<TreasuryLogs>
  /**
   * Reads consecutive blocks one by one, with their logs by block hash. The logs are complete, because a node that lacks the block
   * responds with an error. Returns the blocks before the first one that could not be read.
   *
   * @param parentHash The hash of the block before `from`, if known.
   * @throws The chain's error, if the first block could not be read.
   */
  readBlocks(from: bigint, to: bigint, parentHash?: string): Promise<TreasuryBlock[]>
  /** Reads the hash of the canonical block. Undefined if the node lacks it. */
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

/** Creates the reader of the logs of the treasury contract at `address`. */
export function createTreasuryReader(chain: Chain, address: string): TreasuryReader {
  const filter = { address: asHex(address), topics: [[DEPOSITED, WITHDRAWN]] }
  return {
    async readRange(from, to) {
      const range = { fromBlock: asQuantity(from), toBlock: asQuantity(to) }
      const logs = await chain.client.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })
      return readLogs(chain.id, logs)
    },
    async readBlocks(from, to, parentHash) {
      const numbers = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index))
      const results = await Promise.allSettled(numbers.map((number) => readBlock(chain, filter, number)))
      return selectLinked(results, parentHash)
    },
    blockHash: async (number) => (await readHeader(chain, number))?.hash,
    async compareBlock(number, hash) {
      const header = await readHeader(chain, number)
      if (header === undefined) return 'unknown'
      return header.hash === hash ? 'same' : 'different'
    },
  }
}

async function readHeader(chain: Chain, number: bigint): Promise<{ hash: Hex; parentHash: Hex } | undefined> {
  const block = await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  })
  if (!block?.hash) return undefined
  return { hash: block.hash, parentHash: block.parentHash }
}

async function readBlock(
  chain: Chain,
  filter: { address: Hex; topics: Hex[][] },
  number: bigint,
): Promise<TreasuryBlock | undefined> {
  const header = await readHeader(chain, number)
  if (header === undefined) return undefined
  const logs = await chain.client.request({
    method: 'eth_getLogs',
    params: [{ ...filter, blockHash: header.hash }],
  })
  const read = readLogs(chain.id, logs)
  const isOfOtherBlock = [...read.deposits, ...read.withdrawals].some(
    ({ blockHash }) => blockHash !== header.hash,
  )
  if (isOfOtherBlock) throw new Error(`The node returned logs of another block than ${header.hash}`)
  return { number, ...header, ...read }
}

/** Selects the first blocks that were read and follow each other. @throws The error of the first block. */
function selectLinked(
  results: readonly PromiseSettledResult<TreasuryBlock | undefined>[],
  parentHash: string | undefined,
): TreasuryBlock[] {
  const blocks: TreasuryBlock[] = []
  for (const result of results) {
    if (result.status === 'rejected') {
      if (blocks.length === 0) throw result.reason
      break
    }
    const block = result.value
    const expectedParent = blocks.at(-1)?.hash ?? parentHash
    // The headers of two different forks are not linked. The next pass finds out which one is canonical.
    const isLinked = expectedParent === undefined || block?.parentHash === expectedParent
    if (block === undefined || !isLinked) break
    blocks.push(block)
  }
  return blocks
}

const asQuantity = (number: bigint): Hex => `0x${number.toString(16)}`

function readLogs(chainId: number, logs: readonly RpcLog[]): TreasuryLogs {
  const positions = new Map<string, number>()
  const deposits: ObservedDeposit[] = []
  const withdrawals: Withdrawal[] = []
  for (const log of logs) {
    const [event, indexed = ''] = log.topics
    const location = readPosition(log)
    const key = `${event}/${location.hash}`
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    const wallet = `0x${indexed.slice(26).toLowerCase()}`
    const amount = readAmount(log.data)
    if (event === WITHDRAWN) withdrawals.push({ ...location, position, recipient: wallet, amount })
    // Other treasury contracts may report deposits of 0, for which the ledger has no entries.
    else if (amount > 0n)
      deposits.push({ chainId, ...location, position, payer: wallet, amount, lost: false })
  }
  return { deposits, withdrawals }
}

/** Reads the amount of a log. 0 for data that is not one word, so that a contract's unusual event does not stop the reading of deposits. */
const readAmount = (data: string): bigint => (/^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : 0n)

function readPosition({ transactionHash, blockHash, blockNumber, logIndex }: RpcLog) {
  if (!transactionHash || !blockHash || !blockNumber || !logIndex)
    throw new Error('The node returned a log of a final block without its position on the chain')
  return {
    hash: transactionHash,
    logIndex: Number(logIndex),
    blockNumber: BigInt(blockNumber),
    blockHash,
  }
}
