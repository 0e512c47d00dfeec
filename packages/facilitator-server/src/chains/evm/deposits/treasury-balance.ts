import type { Chain } from '@mintmark/server-kit'
import type { Hex } from 'viem'
import type { TreasuryBalance } from '../../../ledger/check/treasury.ts'
import { readCursor } from './deposit-store.ts'
import type { Store } from '../transactions/transaction-store.ts'
import { asHex } from '../transfer.ts'

/**
 * Reads the treasury's balance as of the last block whose deposits were read, selected by its hash (EIP-1898) so that a
 * lagging node cannot answer for another block. Returns undefined before the first block was read.
 *
 * @throws what the chain threw: also when the node lacks the block or no longer has its state.
 */
export async function readTreasuryBalance(
  db: Store,
  chain: Chain,
  treasury: string,
): Promise<TreasuryBalance | undefined> {
  const address = treasury.toLowerCase()
  const cursor = await readCursor(db, { chainId: chain.id, address })
  if (cursor?.lastHash === undefined) return undefined
  // A hash that the node itself returned.
  const blockHash = cursor.lastHash as Hex
  const balance = await chain.client.request({
    method: 'eth_getBalance',
    params: [asHex(address), { blockHash }],
  })
  return { chainId: chain.id, address, block: cursor.nextBlock - 1n, balance: BigInt(balance) }
}
