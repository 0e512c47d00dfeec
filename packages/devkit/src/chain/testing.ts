import { stopAfterFile } from '../stop-after-file.ts'
import { type ConnectedChain, connectChain } from './connect.ts'
import { type DevChainOptions, startDevChain } from './start.ts'

/** A dev chain for one test file, with clients. */
export type TestChain = ConnectedChain

/**
 * Starts a dev chain in memory on a free port, and stops it after the last test of the file. Each transaction
 * is mined immediately. There are no empty blocks, so the clock does not advance between transactions unless
 * `blockTime` is set.
 *
 *     const chain = await testChain()
 */
export async function testChain(options: Omit<DevChainOptions, 'port'> = {}): Promise<TestChain> {
  const chain = await startDevChain({ blockTime: 0, ...options, port: 0 })
  stopAfterFile(() => chain.stop())
  return connectChain(chain)
}
