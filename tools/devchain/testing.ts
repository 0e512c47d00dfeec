import { afterAll } from 'vitest'
import { type ConnectedChain, connectChain } from './connect.ts'
import { type DevChainOptions, startDevChain } from './start.ts'

/** A dev chain of a test file's own, with clients for it. */
export type TestChain = ConnectedChain

/**
 * Starts a dev chain for this test file, in memory, on a free port, and stops it after the file's last test. A
 * transaction is mined when it is sent; there are no blocks without one, so the clock does not advance in between unless
 * `blockTime` says otherwise.
 *
 *     const chain = await testChain()
 */
export async function testChain(options: Omit<DevChainOptions, 'port'> = {}): Promise<TestChain> {
  const chain = await startDevChain({ blockTime: 0, ...options, port: 0 })
  afterAll(() => chain.stop())
  return connectChain(chain)
}
