import type { ChainAmounts } from './chain-amounts.ts'

const GWEI = 1_000_000_000n

/**
 * The most wei per unit of gas that a transaction offers on a chain without `MAX_FEE_PER_GAS`: above the
 * spikes of a usual year, and far below those of an attack on the chain. While the base fee is higher,
 * nothing is sent and nothing is charged.
 */
const DEFAULT_MAX_FEES: ReadonlyMap<number, bigint> = new Map([
  // Ethereum
  [1, 100n * GWEI],
  // Base
  [8453, 5n * GWEI],
  // Arbitrum One
  [42161, 5n * GWEI],
  // Polygon
  [137, 1_000n * GWEI],
  // Avalanche
  [43114, 100n * GWEI],
  // Sei
  [1329, 200n * GWEI],
  // Celo
  [42220, 200n * GWEI],
  // Monad
  [143, 500n * GWEI],
])

/** Test networks of the known chains. Their gas costs nothing. */
const TEST_NETWORKS: ReadonlySet<number> = new Set([11155111, 84532, 421614, 80002, 43113, 1328])

/** Adds the defaults to the setting `MAX_FEE_PER_GAS`. Warns of chains without a limit. */
export function createMaxFees(
  setting: ChainAmounts,
  chainIds: readonly number[],
  log: { warn(fields: { chain: number }, message: string): void },
): ChainAmounts {
  const getMaxFee: ChainAmounts = (chainId) => setting(chainId) ?? DEFAULT_MAX_FEES.get(chainId)
  for (const chain of chainIds) {
    if (getMaxFee(chain) === undefined && !TEST_NETWORKS.has(chain))
      log.warn({ chain }, 'MAX_FEE_PER_GAS has no value for this chain, so that settles pay any fee')
  }
  return getMaxFee
}
