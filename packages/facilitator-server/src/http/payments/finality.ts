import type { Chains, Finality } from '@mintmark/evm-reader'
import type { Supported } from './x402-operations.ts'

/** Lists when blocks of the supported networks are final. Version 1 names networks in another way. */
export function listFinality(
  { kinds }: Pick<Supported, 'kinds'>,
  chains: Pick<Chains, 'byNetwork'>,
): Supported['finality'] {
  const networks = new Set(kinds.filter(({ x402Version }) => x402Version === 2).map(({ network }) => network))
  return Object.fromEntries(
    [...networks].map((network) => [network, describeFinality(chains.byNetwork(network)?.finality)]),
  )
}

/**
 * Describes when a block is final. Solana, and chains that only a remote facilitator reads, have no number of
 * blocks.
 */
export const describeFinality = (finality: Finality | undefined): string => {
  if (finality === undefined) return 'finalized'
  return 'tag' in finality ? finality.tag : String(finality.depth)
}
