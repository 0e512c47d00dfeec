import type { Chain } from '@mintmark/evm-reader'
import type { Hex } from 'viem'
import type { Store } from '../../../database/store.ts'
import type { TreasuryBalance } from '../../../ledger/check/treasury.ts'
import { asHex } from '../reads/transfer.ts'
import { readCursor } from './deposit-store.ts'

/**
 * Reads the treasury's balance at the last block whose deposits were read. The block is selected by its hash
 * (EIP-1898), so that a lagging node cannot return the balance of another block. Returns undefined before the
 * first block was read.
 *
 * @throws The chain's error, also if the node lacks the block or its state.
 */
export async function readTreasuryBalance(
  db: Store,
  chain: Chain,
  treasury: string,
): Promise<TreasuryBalance | undefined> {
  const address = treasury.toLowerCase()
  const cursor = await readCursor(db, { chainId: chain.id, address })
  if (cursor?.lastHash === undefined) return undefined
  // The node returned this hash.
  const blockHash = cursor.lastHash as Hex
  const balance = await chain.client.request({
    method: 'eth_getBalance',
    params: [asHex(address), { blockHash }],
  })
  return { chainId: chain.id, address, block: cursor.nextBlock - 1n, balance: BigInt(balance) }
}
