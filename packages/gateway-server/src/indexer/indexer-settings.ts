/** How the indexer works. Only tests change it. */
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
