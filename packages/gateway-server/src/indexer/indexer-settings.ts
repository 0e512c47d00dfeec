import type { EnvironmentReader } from '@mintmark/server-kit'

/** Settings of the indexer. The README of this package describes them. */
export interface IndexerSettings {
  /** Interval between runs, in milliseconds. */
  readonly everyMs: number
  /** Most blocks per request. The indexer requests fewer when a node refuses. */
  readonly rangeBlocks: number
  /**
   * Number of newest blocks whose hashes are stored: the deepest reorganization whose first block is found
   * exactly.
   */
  readonly keptBlocks: number
  /** Time for one step before another process may take over the chain. */
  readonly leaseSeconds: number
}

export const DEFAULT_INDEXER_SETTINGS: IndexerSettings = {
  everyMs: 1000,
  rangeBlocks: 1000,
  keptBlocks: 128,
  leaseSeconds: 30,
}

export function readIndexerSettings(env: EnvironmentReader): IndexerSettings {
  const defaults = DEFAULT_INDEXER_SETTINGS
  return {
    everyMs: env.integer('INDEXER_EVERY_MS', defaults.everyMs, 10, 60_000),
    rangeBlocks: env.integer('INDEXER_RANGE_BLOCKS', defaults.rangeBlocks, 1, 100_000),
    keptBlocks: env.integer('INDEXER_KEPT_BLOCKS', defaults.keptBlocks, 1, 10_000),
    leaseSeconds: env.integer('INDEXER_LEASE_SECONDS', defaults.leaseSeconds, 1, 600),
  }
}
