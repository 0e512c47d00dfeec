// A chain that is computed from a seed: transfers of an ERC-721 and an ERC-1155, as a node returns them.
import { createHash } from 'node:crypto'
import { type Random, randomFrom } from '@mintmark/devkit/random'

/** The size of a replayed chain. */
export interface ChainSize {
  readonly blocks: number
  /** Transfers come in groups. At least this many are created. */
  readonly transfers: number
  /** Transfers in a block that has any. */
  readonly perBlock: number
}

/**
 * One block: the fields of its header that are read, and its logs as JSON without the brackets of the list.
 */
export interface ReplayedBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly time: number
  /** The contract of the block's transfers. */
  readonly address: string
  readonly logs: string
}

export const TOKEN = `0x${'a1'.repeat(20)}`
export const EDITION = `0x${'b2'.repeat(20)}`

const SEED = 7
const WALLETS = 2_000
const TOKENS = 10_000
const EDITION_IDS = 50
const SECONDS_PER_BLOCK = 2
const FIRST_TIME = 1_750_000_000
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

export const toHex = (number: number): string => `0x${number.toString(16)}`
const toWord = (number: number): string => number.toString(16).padStart(64, '0')
const toTopic = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`
const hash = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`

/** Creates a chain. The same size always has the same blocks. */
export function createReplayedChain({ blocks, transfers, perBlock }: ChainSize): readonly ReplayedBlock[] {
  const random = randomFrom(SEED)
  const trade = createTrade(random)
  const groups = Math.ceil(transfers / perBlock)
  const chain: ReplayedBlock[] = []
  for (let number = 0; number < blocks; number += 1) {
    // Spreads the groups evenly.
    const isFull = Math.floor(((number + 1) * groups) / blocks) > Math.floor((number * groups) / blocks)
    const isEdition = random.chance(0.25)
    const block = {
      number,
      hash: hash(`block ${number}`),
      parentHash: number === 0 ? `0x${toWord(0)}` : hash(`block ${number - 1}`),
      time: FIRST_TIME + number * SECONDS_PER_BLOCK,
      address: isEdition ? EDITION : TOKEN,
    }
    const logs = isFull ? Array.from({ length: perBlock }, (_, index) => trade(block, index)) : []
    chain.push({ ...block, logs: logs.join(',') })
  }
  return chain
}

/** Creates the next transfer of a contract, as a log in JSON. */
function createTrade(random: Random) {
  const wallets = Array.from({ length: WALLETS }, () => `0x${random.hex(20)}`)
  const zero = `0x${'0'.repeat(40)}`
  const owners: string[] = []
  const minted: { id: number; owner: string }[] = []

  function tradeToken(): { topics: string[]; data: string } {
    const id =
      owners.length < TOKENS && random.chance(0.3) ? owners.length : random.integer(owners.length + 1)
    const from = owners[id] ?? zero
    const to = random.pick(wallets)
    owners[id] = to
    return { topics: [TRANSFER, toTopic(from), toTopic(to), `0x${toWord(id)}`], data: '0x' }
  }

  function tradeEdition(): { topics: string[]; data: string } {
    const isMint = minted.length === 0 || random.chance(0.3)
    const unit = isMint ? { id: random.integer(EDITION_IDS), owner: zero } : random.pick(minted)
    const { id, owner: from } = unit
    const to = random.pick(wallets)
    unit.owner = to
    if (isMint) minted.push(unit)
    const topics = [TRANSFER_SINGLE, toTopic(to), toTopic(from), toTopic(to)]
    return { topics, data: `0x${toWord(id)}${toWord(1)}` }
  }

  return (block: Omit<ReplayedBlock, 'logs'>, logIndex: number): string => {
    const event = block.address === EDITION ? tradeEdition() : tradeToken()
    return JSON.stringify({
      address: block.address,
      ...event,
      blockNumber: toHex(block.number),
      blockHash: block.hash,
      blockTimestamp: toHex(block.time),
      transactionHash: hash(`transaction ${block.number} ${Math.floor(logIndex / 5)}`),
      transactionIndex: toHex(Math.floor(logIndex / 5)),
      logIndex: toHex(logIndex),
      removed: false,
    })
  }
}
