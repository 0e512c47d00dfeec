import type { BlockHeader } from '@mintmark/evm-reader'
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

/** Reads the blocks of the next steps while earlier ones are written. */
export interface ReadAhead {
  /** Starts to read the first of these steps, and discards what was read for others. */
  prepare(steps: readonly ReadStep[]): void
  /**
   * Returns all that was read of a step, as one range, which may end before the step does. Waits for the first
   * blocks if none were read ahead.
   */
  take(step: ReadStep): Promise<BlockRange>
}

/** Steps that are read at a time. */
const MAX_STEPS = 3
/**
 * Reading ahead pauses when at least this many transfers of a step wait to be written. They use about 25 MiB.
 * They are written in one transaction, which changes each balance once.
 */
const MAX_TRANSFERS = 50_000

/**
 * Creates a reader for one run, so that nothing that was read before a reorganization outlives the run that
 * notices it.
 *
 * @param read Reads the beginning of a step.
 */
export function createReadAhead(read: ReadBeginning): ReadAhead {
  let steps: StepReader[] = []
  return {
    prepare(next) {
      const kept = steps.filter((each) => next.some((step) => isSameRead(each.step, step)))
      const missing = next.filter((step) => !kept.some((each) => isSameRead(each.step, step)))
      for (const discarded of steps.filter((each) => !kept.includes(each))) discarded.stop()
      const started = missing.slice(0, Math.max(0, MAX_STEPS - kept.length))
      steps = [...kept, ...started.map((step) => new StepReader(step, read))]
      for (const each of steps) each.start()
    },
    async take(step) {
      const found = steps.find((each) => isSameRead(each.step, step))
      return await (found?.take() ?? read(step))
    },
  }
}

type ReadBeginning = (step: ReadStep) => Promise<BlockRange>

/** Reads a step, range by range. */
class StepReader {
  /** What is not taken yet. */
  step: ReadStep
  readonly #read: ReadBeginning
  #ranges: BlockRange[] = []
  /** What is not read yet. Undefined: nothing. */
  #unread: ReadStep | undefined
  #reading: Promise<void> | undefined
  #isStopped = false

  constructor(step: ReadStep, read: ReadBeginning) {
    this.step = step
    this.#unread = step
    this.#read = read
  }

  /** Reads on, unless that is done or enough was read. Resolves when one more range is read. */
  start(): Promise<void> | undefined {
    const unread = this.#unread
    const count = this.#ranges.reduce((sum, { transfers }) => sum + transfers.length, 0)
    if (unread !== undefined && !this.#isStopped && count < MAX_TRANSFERS)
      this.#reading ??= deferFailure(this.#readNext(unread))
    return this.#reading
  }

  /** Stops after the range that is being read. */
  stop(): void {
    this.#isStopped = true
  }

  async take(): Promise<BlockRange> {
    if (this.#ranges.length === 0) await this.start()
    const ranges = this.#ranges
    this.#ranges = []
    if (this.#unread !== undefined) this.step = this.#unread
    return joinRanges(ranges)
  }

  async #readNext(unread: ReadStep): Promise<void> {
    try {
      const range = await this.#read(unread)
      this.#ranges.push(range)
      this.#unread = findContinuation(unread, range)
    } finally {
      this.#reading = undefined
    }
    this.start()
  }
}

function joinRanges(ranges: readonly BlockRange[]): BlockRange {
  const [first] = ranges
  const last = ranges.at(-1)
  if (first === undefined || last === undefined) throw new Error('At least one range was read')
  if (first === last) return first
  return {
    from: first.from,
    to: last.to,
    transfers: ranges.flatMap(({ transfers }) => transfers),
    times: new Map(ranges.flatMap(({ times }) => [...times])),
    headers: ranges.flatMap(({ headers }) => headers),
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
