import { type Hex, keccak256 } from 'viem'
import type { AnvilClient } from './chain.ts'

/** A block of a dev chain after which all blocks can be replaced once. */
export interface ForkPoint {
  /**
   * Replaces the blocks after this point by `blocks` other ones.
   *
   * @param keep Transactions that the other blocks contain too, each in a block of its own.
   */
  replaceBlocks(blocks: number, keep?: readonly Hex[]): Promise<void>
}

/** Marks the newest block as the last one that a reorganization keeps. */
export async function markForkPoint(client: AnvilClient): Promise<ForkPoint> {
  const id = await client.snapshot()
  return {
    async replaceBlocks(blocks, keep = []) {
      const kept = await Promise.all(keep.map((hash) => readSignedBytes(client, hash)))
      await client.revert({ id })
      // Without it, a kept transaction could be in the same block as before.
      await client.mine({ blocks: 1 })
      const isAutomatic = await client.getAutomine()
      for (const serializedTransaction of kept) {
        await sendUnlessKnown(client, serializedTransaction)
        // The next one may spend what this one transfers.
        if (!isAutomatic) await client.mine({ blocks: 1 })
      }
      await client.mine({ blocks: Math.max(1, blocks - 1 - keep.length) })
    },
  }
}

/** Sends a transaction again, unless whoever sent it first has done so meanwhile. */
async function sendUnlessKnown(client: AnvilClient, serializedTransaction: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction })
  } catch (error) {
    const known = client.getTransaction({ hash: keccak256(serializedTransaction) })
    await known.catch(() => {
      throw error
    })
  }
}

/** Reads the signed bytes of a transaction. */
async function readSignedBytes(client: AnvilClient, hash: Hex): Promise<Hex> {
  const bytes: unknown = await client.request({
    // viem does not list this method of nodes.
    method: 'eth_getRawTransactionByHash' as never,
    params: [hash],
  })
  return String(bytes) as Hex
}
