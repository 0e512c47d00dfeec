import type { AnvilClient, DevChain } from '@mintmark/devkit'

/**
 * The chain of a sandbox: anvil with chain id 84532. It mines a transaction immediately, and a block every
 * second.
 */
export interface SandboxChain {
  readonly rpcUrl: string
  readonly chainId: number
  /** The address of USDC, with EIP-3009. */
  readonly token: string
  /** The address of the treasury that takes deposits for the facilitator. */
  readonly treasury: string
  /** Mines blocks, 1 by default. When it returns, both servers have read them. */
  mine(blocks?: number): Promise<void>
  /**
   * Replaces the newest `depth` blocks by empty ones, as a reorganization does. When it returns, both servers
   * have read them.
   */
  reorg(depth: number): Promise<void>
}

export function createChain(
  { rpcUrl, chainId, token, treasury }: DevChain,
  client: AnvilClient,
  runJobs: () => Promise<void>,
): SandboxChain {
  return {
    rpcUrl,
    chainId,
    token,
    treasury,
    async mine(blocks = 1) {
      await client.mine({ blocks })
      await runJobs()
    },
    async reorg(depth) {
      await client.request({
        // viem does not list this method of anvil.
        method: 'anvil_reorg' as never,
        params: [depth, []] as never,
      })
      await runJobs()
    },
  }
}
