import { describeChainError, isRangeTooLarge } from '@mintmark/server-kit'
import type { NodeLog } from '../transfers/transfer-logs.ts'
import { ChainMoved, type ChainReader, type Header } from './block-source.ts'

/** The node answers no request for the logs of a block, however small. */
export class BlockUnreadableError extends Error {
  override readonly name = 'BlockUnreadableError'
  readonly block: number

  constructor(block: number, reason: string) {
    super(`The logs of block ${block} cannot be read: ${reason}`)
    this.block = block
  }
}

/**
 * Reads the transfer events of contracts in one block. A node may refuse a block with many of them: fewer contracts are requested then,
 * down to one, whose events are taken from the receipts of the block's transactions if need be.
 *
 * @throws BlockUnreadableError when the node refuses all of these.
 */
export async function readBlockLogs(
  reader: ChainReader,
  block: Header,
  addresses: readonly string[],
): Promise<readonly NodeLog[]> {
  try {
    return await reader.logsOf(block, addresses)
  } catch (error) {
    if (!isRangeTooLarge(error)) throw error
    const [address] = addresses
    if (address === undefined) throw error
    if (addresses.length === 1) return await readReceiptLogs(reader, block, address)
    const middle = Math.ceil(addresses.length / 2)
    const first = await readBlockLogs(reader, block, addresses.slice(0, middle))
    const second = await readBlockLogs(reader, block, addresses.slice(middle))
    return [...first, ...second]
  }
}

async function readReceiptLogs(
  reader: ChainReader,
  block: Header,
  address: string,
): Promise<readonly NodeLog[]> {
  let logs: readonly NodeLog[] | undefined
  try {
    logs = await reader.receiptLogsOf(block, address)
  } catch (error) {
    if (!isRangeTooLarge(error)) throw error
    throw new BlockUnreadableError(block.number, describeChainError(error))
  }
  if (logs === undefined) throw new ChainMoved(`block ${block.number} is not there`)
  return logs
}
