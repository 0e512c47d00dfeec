import { afterAll } from 'vitest'
import { devAccount } from './accounts.ts'
import { type AccountClient, type AnvilClient, accountClient, anvilClient } from './chain.ts'
import { type DevChain, type DevChainOptions, startDevChain } from './start.ts'

/** A dev chain of a test file's own, with clients for it. */
export interface TestChain extends DevChain {
  /** Reads, and anvil's own methods: mine, increaseTime, setBalance, impersonateAccount and so on. */
  readonly client: AnvilClient
  /** A client that signs and sends as one of anvil's ten accounts. */
  as(account: number): AccountClient
}

/**
 * Starts a dev chain for this test file, in memory, on a free port, and stops it after the file's last test. A
 * transaction is mined when it is sent; there are no blocks without one, so the clock stands still in between unless
 * `blockTime` says otherwise.
 *
 *     const chain = await testChain()
 */
export async function testChain(options: Omit<DevChainOptions, 'port'> = {}): Promise<TestChain> {
  const chain = await startDevChain({ blockTime: 0, ...options, port: 0 })
  afterAll(() => chain.stop())
  return {
    ...chain,
    client: anvilClient(chain.rpcUrl),
    as: (account) => accountClient(chain.rpcUrl, devAccount(account)),
  }
}
