import type { EnvironmentReader } from '@mintmark/server-kit'

/** How chains are read for the transfers of indexed contracts; the README of this package lists the settings. */
export interface IndexerSettings {
  /** How often new blocks are looked for, in milliseconds. */
  readonly everyMs: number
  /** Blocks whose transfers are asked for at once, at most; fewer where a node refuses. */
  readonly rangeBlocks: number
  /** The newest blocks whose hashes are kept: the deepest reorganisation that is followed to its very block. */
  readonly keptBlocks: number
  /** How long a process has for one step before another one may take over its chain. */
  readonly leaseSeconds: number
}

export const DEFAULT_INDEXER_SETTINGS: IndexerSettings = {
  everyMs: 1000,
  rangeBlocks: 1000,
  keptBlocks: 128,
  leaseSeconds: 30,
}

export function readIndexerSettings(env: EnvironmentReader): IndexerSettings {
  const usual = DEFAULT_INDEXER_SETTINGS
  return {
    everyMs: env.integer('INDEXER_EVERY_MS', usual.everyMs, 10, 60_000),
    rangeBlocks: env.integer('INDEXER_RANGE_BLOCKS', usual.rangeBlocks, 1, 100_000),
    keptBlocks: env.integer('INDEXER_KEPT_BLOCKS', usual.keptBlocks, 1, 10_000),
    leaseSeconds: env.integer('INDEXER_LEASE_SECONDS', usual.leaseSeconds, 1, 600),
  }
}
