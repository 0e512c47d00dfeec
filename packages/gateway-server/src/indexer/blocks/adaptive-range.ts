import { isRangeTooLarge } from '@mintmark/server-kit'
import type { BlockSource } from './block-source.ts'
import { type BlockRange, type RangeRequest, readRange } from './read-range.ts'

/**
 * Adapts the number of blocks per request to what a node accepts: halves it after a refusal, then increases it again, up to just below the
 * last refused number.
 */
export interface AdaptiveRange {
  /** Reads the beginning of a range, as many blocks of it as the node accepts. */
  read(source: BlockSource, request: RangeRequest): Promise<BlockRange>
}

/** After this many successful requests in a row the limit is doubled: the node may accept more by now. */
const SUCCESSES_BEFORE_RAISE = 16

export function createAdaptiveRange(maxBlocks: number): AdaptiveRange {
  let blocks = maxBlocks
  let limit = maxBlocks
  let successes = 0

  function grow(): void {
    successes += 1
    if (successes % SUCCESSES_BEFORE_RAISE === 0) limit = Math.min(maxBlocks, limit * 2)
    blocks = Math.min(limit, blocks + Math.ceil(blocks / 4))
  }

  function shrink(refusedBlocks: number): void {
    blocks = Math.floor(refusedBlocks / 2)
    limit = refusedBlocks - 1
    successes = 0
  }

  return {
    async read(source, request) {
      for (;;) {
        const to = Math.min(request.to, request.from + blocks - 1)
        try {
          const range = await readRange(source, { ...request, to })
          grow()
          return range
        } catch (error) {
          const size = to - request.from + 1
          if (!isRangeTooLarge(error) || size === 1) throw error
          shrink(size)
        }
      }
    },
  }
}
