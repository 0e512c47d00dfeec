import { type CapturedTrace, captureTrace, isOverload, runInSharedTrace } from '@mintmark/server-kit'
import { isConnectionLost } from './lost-connection.ts'

interface PendingItem<Item, Result> {
  readonly item: Item
  readonly trace: CapturedTrace
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface BatchOptions {
  /** The most items in one run. */
  readonly maxItems: number
}

/**
 * Collects the items that arrive during a run and processes them in the next one. A single item does not
 * wait. Under load, one statement serves many items. `run` returns one result per item, in the same order.
 *
 * When a run fails, its items run again one by one, so that a bad item fails alone. Therefore `run` must be
 * repeatable. If the database is too busy or the connection was lost, all items fail without a second run:
 * each of them would wait as long again.
 */
export function batch<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems }: BatchOptions,
): (item: Item) => Promise<Result> {
  const pending: PendingItem<Item, Result>[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    while (pending.length > 0) {
      const items = pending.splice(0, maxItems)
      const failure = await runItems(items)
      if (failure !== undefined) await handleFailure(items, failure.error)
    }
    isRunning = false
  }

  async function handleFailure(items: PendingItem<Item, Result>[], error: unknown): Promise<void> {
    if (items.length === 1 || isConnectionLost(error) || isOverload(error)) {
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
      pending.push({ item, trace: captureTrace(), resolve, reject })
      if (isRunning) return
      isRunning = true
      // The first run includes all items that arrive in this turn of the event loop.
      setImmediate(drain)
    })
}

/** Batches by key, such as an account. Runs with different keys do not wait for each other. */
export function batchByKey<Key, Item, Result>(
  run: (key: Key, items: Item[]) => Promise<Result[]>,
  options: BatchOptions,
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
