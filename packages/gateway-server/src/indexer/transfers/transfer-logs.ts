import type { NodeLog } from '@mintmark/evm-reader'
import { decodeAbiParameters } from 'viem'

/** A transfer of one token from one owner to another. Addresses are in lower case. */
export interface TokenTransfer {
  readonly block: number
  readonly hash: string
  readonly logIndex: number
  /** The index within a TransferBatch; otherwise 0. */
  readonly batchIndex: number
  readonly nftAddress: string
  /** Decimal. */
  readonly nftId: string
  readonly from: string
  readonly to: string
  readonly quantity: bigint
}

/** ERC-721, `Transfer(address,address,uint256)`. ERC-20 has the same topic, but does not index the amount. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** ERC-1155, `TransferSingle(address,address,address,uint256,uint256)`. */
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** ERC-1155, `TransferBatch(address,address,address,uint256[],uint256[])`. */
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** The events of transfers, as alternatives for the first topic. */
export const TRANSFER_TOPICS: readonly string[] = [TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH]

/**
 * Decodes the transfers of a log: one, or several of a batch. Any contract can emit any log, so that
 * malformed logs and transfers of quantity 0 are ignored.
 */
export function decodeTransfers({ address, topics, data, ...log }: NodeLog): TokenTransfer[] {
  const place = {
    block: Number(log.blockNumber),
    hash: log.transactionHash.toLowerCase(),
    logIndex: Number(log.logIndex),
    nftAddress: address.toLowerCase(),
  }
  const [event, first = '', second = '', third = ''] = topics
  if (topics.length !== 4) return []
  if (event === TRANSFER) {
    const parties = { from: decodeAddress(first), to: decodeAddress(second) }
    return [{ ...place, ...parties, batchIndex: 0, nftId: BigInt(third).toString(), quantity: 1n }]
  }
  const parties = { from: decodeAddress(second), to: decodeAddress(third) }
  return decodeQuantities(event, data).flatMap(([id, quantity], batchIndex) =>
    quantity === 0n ? [] : [{ ...place, ...parties, batchIndex, nftId: id.toString(), quantity }],
  )
}

type TokenQuantities = readonly (readonly [id: bigint, quantity: bigint])[]

function decodeQuantities(event: string | undefined, data: NodeLog['data']): TokenQuantities {
  if (event === TRANSFER_SINGLE) return decodeSingle(data)
  if (event === TRANSFER_BATCH) return decodeBatch(data)
  return []
}

function decodeSingle(data: string): TokenQuantities {
  if (!/^0x[0-9a-f]{128}$/i.test(data)) return []
  return [[BigInt(data.slice(0, 66)), BigInt(`0x${data.slice(66)}`)]]
}

function decodeBatch(data: NodeLog['data']): TokenQuantities {
  try {
    const [ids, quantities] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
    if (ids.length !== quantities.length) return []
    return ids.map((id, index) => [id, quantities[index] ?? 0n])
  } catch {
    // The data does not have the form of the event.
    return []
  }
}

const decodeAddress = (topic: string) => `0x${topic.slice(-40).toLowerCase()}`
