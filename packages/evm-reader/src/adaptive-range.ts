/** The number of blocks that a node accepts in one request, as far as its responses have shown. */
export interface AdaptiveRange {
  /** Blocks for the next request. */
  readonly blocks: number
  /** Increases the number after a success, up to just below the last refused number. */
  grow(): void
  /** Halves the number after a refusal. */
  shrink(refusedBlocks: number): void
}

/** After this many successful requests in a row the limit is doubled: the node may accept more by now. */
const SUCCESSES_BEFORE_RAISE = 16

export function createAdaptiveRange(maxBlocks: number): AdaptiveRange {
  let blocks = maxBlocks
  let limit = maxBlocks
  let successes = 0
  return {
    get blocks() {
      return blocks
    },
    grow() {
      successes += 1
      if (successes % SUCCESSES_BEFORE_RAISE === 0) limit = Math.min(maxBlocks, limit * 2)
      blocks = Math.min(limit, blocks + Math.ceil(blocks / 4))
    },
    shrink(refusedBlocks) {
      blocks = Math.floor(refusedBlocks / 2)
      limit = refusedBlocks - 1
      successes = 0
    },
  }
}
