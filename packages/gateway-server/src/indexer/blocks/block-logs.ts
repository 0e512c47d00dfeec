import { describeChainError, isRangeTooLarge } from '@mintmark/server-kit'
import type { NodeLog } from '../transfers/transfer-logs.ts'
import { type BlockSource, ChainChangedError, type Header } from './block-source.ts'

/** No node returns the logs of a block, by any request. */
export class BlockUnreadableError extends Error {
  override readonly name = 'BlockUnreadableError'
  readonly block: number

  constructor(block: number, reason: string) {
    super(`The logs of block ${block} cannot be read: ${reason}`)
    this.block = block
  }
}

/**
 * Reads the transfer events of contracts in one block. A node may refuse a block with too many events. Then fewer contracts are requested,
 * down to one, whose events are finally taken from the receipts of the block's transactions.
 *
 * @throws BlockUnreadableError when the node refuses all of these.
 */
export async function readBlockLogs(
  source: BlockSource,
  block: Header,
  addresses: readonly string[],
): Promise<readonly NodeLog[]> {
  try {
    return await source.listBlockLogs(block, addresses)
  } catch (error) {
    if (!isRangeTooLarge(error)) throw error
    const [address] = addresses
    if (address === undefined) throw error
    if (addresses.length === 1) return await readReceiptLogs(source, block, address)
    const middle = Math.ceil(addresses.length / 2)
    const first = await readBlockLogs(source, block, addresses.slice(0, middle))
    const second = await readBlockLogs(source, block, addresses.slice(middle))
    return [...first, ...second]
  }
}

async function readReceiptLogs(
  source: BlockSource,
  block: Header,
  address: string,
): Promise<readonly NodeLog[]> {
  let logs: readonly NodeLog[] | undefined
  try {
    logs = await source.findReceiptLogs(block, address)
  } catch (error) {
    if (!isRangeTooLarge(error)) throw error
    throw new BlockUnreadableError(block.number, describeChainError(error))
  }
  if (logs === undefined) throw new ChainChangedError(`block ${block.number} is missing`)
  return logs
}
