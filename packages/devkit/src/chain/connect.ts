import type { Hex, TransactionReceipt } from 'viem'
import { devAccount } from './accounts.ts'
import { type AccountClient, type AnvilClient, accountClient, anvilClient } from './chain.ts'
import type { DevChain } from './start.ts'

/** A running dev chain with clients for it. */
export interface ConnectedChain extends DevChain {
  /**
   * Reads the chain and calls anvil's own methods: mine, increaseTime, setBalance, impersonateAccount and so
   * on.
   */
  readonly client: AnvilClient
  /** Returns a client that signs and sends as one of anvil's ten accounts. */
  as(account: number): AccountClient
  /**
   * Waits for the receipt of a transaction. anvil returns a transaction's hash before the block is mined, so
   * a read that follows directly may still see the state before it.
   *
   * @throws Error when the transaction was reverted.
   */
  confirm(sent: Promise<Hex>): Promise<TransactionReceipt>
}

/** Adds clients to a running dev chain. */
export function connectChain(chain: DevChain): ConnectedChain {
  const client = anvilClient(chain.rpcUrl)
  return {
    ...chain,
    client,
    as: (account) => accountClient(chain.rpcUrl, devAccount(account)),
    async confirm(sent) {
      const hash = await sent
      const receipt = await client.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success') throw new Error(`Transaction ${hash} was reverted`)
      return receipt
    },
  }
}
