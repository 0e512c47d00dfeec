import { decodeAbiParameters } from 'viem'

/** A log as `eth_getLogs` gives it. */
export interface NodeLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: `0x${string}`
  readonly blockNumber: `0x${string}`
  readonly blockHash: string
  readonly transactionHash: string
  readonly logIndex: `0x${string}`
}

/** That so many of a token went from one owner to another; addresses in lower case. */
export interface TokenTransfer {
  readonly block: number
  readonly hash: string
  readonly logIndex: number
  /** The place within a TransferBatch; 0 elsewhere. */
  readonly batchIndex: number
  readonly nftAddress: string
  /** Decimal. */
  readonly nftId: string
  readonly from: string
  readonly to: string
  readonly quantity: bigint
}

/** ERC-721, `Transfer(address,address,uint256)`: the same topic as ERC-20's, whose amount is not indexed. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** ERC-1155, `TransferSingle(address,address,address,uint256,uint256)`. */
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** ERC-1155, `TransferBatch(address,address,address,uint256[],uint256[])`. */
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** The events that tell of transfers: any of them, as the first topic. */
export const TRANSFER_TOPICS: readonly string[] = [TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH]

/**
 * What a log tells of tokens that moved: one transfer, several of a batch, or none. A log that is not as its standard has it tells
 * nothing, and neither does a transfer of none: any contract can write what it likes.
 */
export function transfersOf({ address, topics, data, ...log }: NodeLog): TokenTransfer[] {
  const place = {
    block: Number(log.blockNumber),
    hash: log.transactionHash.toLowerCase(),
    logIndex: Number(log.logIndex),
    nftAddress: address.toLowerCase(),
  }
  const [event, first = '', second = '', third = ''] = topics
  if (topics.length !== 4) return []
  if (event === TRANSFER) {
    const parties = { from: addressIn(first), to: addressIn(second) }
    return [{ ...place, ...parties, batchIndex: 0, nftId: BigInt(third).toString(), quantity: 1n }]
  }
  const parties = { from: addressIn(second), to: addressIn(third) }
  const moved =
    event === TRANSFER_SINGLE ? singleIn(data) : event === TRANSFER_BATCH ? batchIn(data) : undefined
  return (moved ?? []).flatMap(([id, quantity], batchIndex) =>
    quantity === 0n ? [] : [{ ...place, ...parties, batchIndex, nftId: id.toString(), quantity }],
  )
}

type Moved = readonly (readonly [id: bigint, quantity: bigint])[]

function singleIn(data: string): Moved | undefined {
  if (!/^0x[0-9a-f]{128}$/i.test(data)) return undefined
  return [[BigInt(data.slice(0, 66)), BigInt(`0x${data.slice(66)}`)]]
}

function batchIn(data: `0x${string}`): Moved | undefined {
  try {
    const [ids, quantities] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
    if (ids.length !== quantities.length) return undefined
    return ids.map((id, at) => [id, quantities[at] ?? 0n])
  } catch {
    // Not what the event's name promises.
    return undefined
  }
}

const addressIn = (topic: string) => `0x${topic.slice(-40).toLowerCase()}`
