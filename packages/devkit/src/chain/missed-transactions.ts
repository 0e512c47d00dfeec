import type { AnvilClient } from './chain.ts'

/** What the check reads and does. */
type Node = Pick<AnvilClient, 'getAutomine' | 'getBlockNumber' | 'getTxpoolStatus' | 'mine'>

/**
 * Creates a check that mines what anvil has missed. Rarely, anvil leaves a transaction in its pool that
 * arrives while it adds a block, until another one arrives: https://github.com/foundry-rs/foundry/issues/10122.
 * A transaction is missed if it is in the pool at two checks and no block was added between them. One block is
 * mined for it: what stays in the pool then has too low a fee. Nothing is mined while blocks are mined by hand
 * only.
 */
export function createMissedTransactionCheck(node: Node): () => Promise<void> {
  let waitingAt: bigint | undefined
  let hasMined = false
  return async () => {
    const [isAutomatic, { pending }, block] = await Promise.all([
      node.getAutomine(),
      node.getTxpoolStatus(),
      node.getBlockNumber(),
    ])
    const isWaiting = isAutomatic && pending > 0
    if (!isWaiting) hasMined = false
    else if (waitingAt === block && !hasMined) {
      hasMined = true
      await node.mine({ blocks: 1 })
    }
    waitingAt = isWaiting ? block : undefined
  }
}
