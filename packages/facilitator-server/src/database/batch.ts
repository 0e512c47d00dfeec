import { type CapturedTrace, captureTrace, isOverload, runInSharedTrace } from '@mintmark/server-kit'
import { isConnectionLost } from './lost-connection.ts'

interface PendingItem<Item, Result> {
  readonly item: Item
  readonly trace: CapturedTrace
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface BatchOptions<Item> {
  /** The most items in one run, or their most weight. A heavier item runs alone. */
  readonly maxItems: number
  /** The weight of an item. Default 1. */
  readonly weigh?: (item: Item) => number
  /** Later items share the next run. Default 1. */
  readonly maxConcurrentRuns?: number
  /** Whether the items of a run that failed run again one by one. Default true: `run` must be repeatable. */
  readonly retriesAlone?: boolean
}

/**
 * Runs the items of one turn of the event loop together, and those that arrive during a run in the next one.
 * A single item does not wait. Under load, one statement or request serves many items. `run` returns one
 * result per item, in the same order.
 *
 * When a run fails, its items run again one by one, so that a bad item fails alone. If the database is too
 * busy or the connection was lost, all items fail without a second run: each of them would wait as long again.
 */
export function batch<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  { maxItems, weigh = () => 1, maxConcurrentRuns = 1, retriesAlone = true }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: PendingItem<Item, Result>[] = []
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || running >= maxConcurrentRuns) return
    isScheduled = true
    // After the input of this turn was handled, so that concurrent requests share a run.
    setImmediate(() => {
      isScheduled = false
      while (waiting.length > 0 && running < maxConcurrentRuns) void runNext()
    })
  }

  function takeItems(): PendingItem<Item, Result>[] {
    let weight = 0
    const next = waiting.findIndex(({ item }, index) => {
      weight += weigh(item)
      return index > 0 && weight > maxItems
    })
    const items = next === -1 ? waiting : waiting.slice(0, next)
    waiting = waiting.slice(items.length)
    return items
  }

  async function runNext(): Promise<void> {
    const items = takeItems()
    running += 1
    const failure = await runItems(items)
    if (failure !== undefined) await handleFailure(items, failure.error)
    running -= 1
    if (waiting.length > 0) schedule()
  }

  async function handleFailure(items: PendingItem<Item, Result>[], error: unknown): Promise<void> {
    if (!retriesAlone || items.length === 1 || isConnectionLost(error) || isOverload(error)) {
      for (const item of items) item.reject(error)
      return
    }
    for (const item of items) {
      const failure = await runItems([item])
      if (failure !== undefined) item.reject(failure.error)
    }
  }

  async function runItems(items: PendingItem<Item, Result>[]): Promise<{ error: unknown } | undefined> {
    try {
      const traces = items.map(({ trace }) => trace)
      const results = await runInSharedTrace(traces, () => run(items.map(({ item }) => item)))
      if (results.length !== items.length)
        throw new Error(`A batch of ${items.length} items returned ${results.length} results`)
      for (const [index, result] of results.entries()) items[index]?.resolve(result)
      return undefined
    } catch (error) {
      return { error }
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, trace: captureTrace(), resolve, reject })
      schedule()
    })
}

/** Batches by key, such as an account. Runs with different keys do not wait for each other. */
export function batchByKey<Key, Item, Result>(
  run: (key: Key, items: Item[]) => Promise<readonly Result[]>,
  options: BatchOptions<Item>,
): (key: Key, item: Item) => Promise<Result> {
  const batches = new Map<Key, { add: (item: Item) => Promise<Result>; pending: number }>()
  return async (key, item) => {
    const current = batches.get(key) ?? {
      add: batch((items: Item[]) => run(key, items), options),
      pending: 0,
    }
    batches.set(key, current)
    current.pending += 1
    try {
      return await current.add(item)
    } finally {
      current.pending -= 1
      if (current.pending === 0) batches.delete(key)
    }
  }
}
