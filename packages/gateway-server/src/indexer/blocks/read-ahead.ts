import type { BlockHeader } from '@mintmark/server-kit'
import type { BlockRange } from './read-range.ts'

/** A range of blocks to read and write for some contracts. */
export interface ReadStep {
  readonly from: number
  readonly to: number
  readonly addresses: readonly string[]
  /** Whether the step advances the chain's cursor. Otherwise it catches up contracts that are behind. */
  readonly advancesChain: boolean
  readonly head: BlockHeader
  /** The last block of the range before, if that was read by the same run. */
  readonly parent?: Pick<BlockHeader, 'number' | 'hash'> | undefined
}

/** Reads the ranges of the next steps while earlier ones are written. */
export interface ReadAhead {
  /** Starts to read the first of these steps, and discards what was read for others. */
  prepare(steps: readonly ReadStep[]): void
  /**
   * Returns the range of a step, which may end before the step does. Reads it now if it was not read ahead.
   */
  take(step: ReadStep): Promise<BlockRange>
}

/** Ranges that are read but not written. Each can take some 10 MiB. */
const MAX_RANGES = 3

/**
 * Creates a reader for one run, so that nothing that was read before a reorganization outlives the run that
 * notices it.
 *
 * @param read Reads the beginning of a step.
 */
export function createReadAhead(read: (step: ReadStep) => Promise<BlockRange>): ReadAhead {
  let ranges: { readonly step: ReadStep; readonly range: Promise<BlockRange> }[] = []
  return {
    prepare(steps) {
      const kept = ranges.filter((each) => steps.some((step) => isSameRead(each.step, step)))
      const missing = steps.filter((step) => !kept.some((each) => isSameRead(each.step, step)))
      const started = missing.slice(0, Math.max(0, MAX_RANGES - kept.length))
      ranges = [...kept, ...started.map((step) => ({ step, range: deferFailure(read(step)) }))]
    },
    async take(step) {
      const found = ranges.find((each) => isSameRead(each.step, step))
      ranges = ranges.filter((each) => each !== found)
      return await (found?.range ?? read(step))
    },
  }
}

/**
 * Whether a range that was read for one step is the beginning of the other: the ends may differ, because the
 * chain has grown.
 */
function isSameRead(one: ReadStep, other: ReadStep): boolean {
  return (
    one.from === other.from &&
    one.advancesChain === other.advancesChain &&
    one.addresses.length === other.addresses.length &&
    one.addresses.every((address, index) => address === other.addresses[index])
  )
}

/**
 * Leaves a failure to whoever waits for the result. Without a handler the failure of a discarded read would
 * end the process.
 */
export function deferFailure<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => {})
  return result
}

/** Returns the step that continues after a range, or undefined if the range completes the step. */
export function findContinuation(step: ReadStep, { to, headers }: BlockRange): ReadStep | undefined {
  return to < step.to ? { ...step, from: to + 1, parent: headers.at(-1) } : undefined
}
