import { type CapturedTrace, captureTrace, runInSharedTrace } from '@mintmark/server-kit'

interface PendingItem<Item, Result> {
  readonly item: Item
  readonly trace: CapturedTrace
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface TurnBatchOptions<Item> {
  /** The most weight of one run. A heavier item runs alone. */
  readonly maxWeight: number
  readonly weigh: (item: Item) => number
  /** Later items share the next run. */
  readonly maxConcurrentRuns: number
}

/**
 * Runs the items of one turn of the event loop together. `run` returns one result per item, in the same
 * order. An error of a run rejects every item that shared it.
 */
export function batchTurns<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxWeight, weigh, maxConcurrentRuns }: TurnBatchOptions<Item>,
): (item: Item) => Promise<Result> {
  let queue: PendingItem<Item, Result>[] = []
  let running = 0
  let scheduled = false

  const schedule = () => {
    if (scheduled || running >= maxConcurrentRuns) return
    scheduled = true
    // After the input of this turn was handled, so that concurrent requests share a run.
    setImmediate(() => {
      scheduled = false
      while (queue.length > 0 && running < maxConcurrentRuns) void flush()
    })
  }

  const takeGroup = (): PendingItem<Item, Result>[] => {
    let weight = 0
    let taken = 0
    for (const { item } of queue) {
      weight += weigh(item)
      if (taken > 0 && weight > maxWeight) break
      taken += 1
    }
    const group = queue.slice(0, taken)
    queue = queue.slice(taken)
    return group
  }

  const flush = async () => {
    const group = takeGroup()
    running += 1
    try {
      const traces = group.map(({ trace }) => trace)
      const results = await runInSharedTrace(traces, () => run(group.map(({ item }) => item)))
      if (results.length !== group.length)
        throw new Error(`A batch of ${group.length} items returned ${results.length} results`)
      for (const [index, result] of results.entries()) group[index]?.resolve(result)
    } catch (error) {
      for (const pending of group) pending.reject(error)
    } finally {
      running -= 1
      if (queue.length > 0) schedule()
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, trace: captureTrace(), resolve, reject })
      schedule()
    })
}
