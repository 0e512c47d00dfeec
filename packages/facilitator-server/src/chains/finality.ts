import type { Finality } from '@mintmark/evm-reader'

/**
 * Describes when a block is final. Solana, and chains that only a remote facilitator reads, have no number of
 * blocks.
 */
export const describeFinality = (finality: Finality | undefined): string => {
  if (finality === undefined) return 'finalized'
  return 'tag' in finality ? finality.tag : String(finality.depth)
}
