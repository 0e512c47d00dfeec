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
