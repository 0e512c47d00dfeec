import { type BlockHeader, checkSameBlock } from './header-parsing.ts'
import type { LogFilter, NodeLog } from './node-logs.ts'

/** A block that was read before the logs. */
export interface NewestBlock extends Pick<BlockHeader, 'number' | 'time'> {
  /**
   * The node that returns the logs must have the block with this hash. Pass the hash of a final block,
   * because only a reorganization replaces others.
   */
  readonly hash?: string | undefined
}

export interface LogRequest {
  readonly filter: LogFilter
  readonly from: number
  /** The last block to read, at least `from`. */
  readonly to: number
  /**
   * The newest block that the caller has read: the head, or the final block. The blocks just before it are
   * read by their hashes.
   */
  readonly newest: NewestBlock
  /** The hash of the block before `from`, if known. */
  readonly parentHash?: string | undefined
}

/** The logs of some blocks, all from one version of the chain, in the chain's order. */
export interface LogRange {
  readonly from: number
  /**
   * The last block that was read: the request's last block, or an earlier one if the node refuses or lacks
   * the others.
   */
  readonly to: number
  readonly logs: readonly NodeLog[]
  /** The headers that were read, ascending. Contains the header of the block `to`. */
  readonly headers: readonly BlockHeader[]
}

/** @throws ChainChangedError unless the header, as the node returned it, has the hash of the newest block. */
export function checkNewest({ number, hash }: NewestBlock, header: BlockHeader | undefined): void {
  if (hash !== undefined) checkSameBlock({ number, hash }, header)
}
