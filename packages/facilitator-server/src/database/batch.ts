import { isConnectionLost } from './lost-connection.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface CoalesceOptions {
  /** The most items in one run. */
  most: number
}

/**
 * Gathers what arrives while a run is under way, and runs it together afterwards: alone an item waits for nobody, under
 * load one statement serves many. `run` answers in the order of its items.
 *
 * When a run fails, its items run again one by one, so that a bad one fails alone; `run` must therefore be repeatable.
 * A lost connection is everybody's, and is not tried again here.
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { most }: CoalesceOptions,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      const failure = await attempt(batch)
      if (failure === undefined) continue
      if (batch.length === 1 || isConnectionLost(failure.error))
        for (const one of batch) one.reject(failure.error)
      else {
        for (const one of batch) {
          const alone = await attempt([one])
          if (alone !== undefined) one.reject(alone.error)
        }
      }
    }
    running = false
  }

  async function attempt(batch: Waiting<Item, Result>[]): Promise<{ error: unknown } | undefined> {
    try {
      const results = await run(batch.map(({ item }) => item))
      if (results.length !== batch.length)
        throw new Error(`${batch.length} items got ${results.length} results`)
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
      return undefined
    } catch (error) {
      return { error }
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (running) return
      running = true
      // Whatever else this turn of the event loop brings comes along in the first run.
      setImmediate(drain)
    })
}

/** `coalesce` by key, such as an account: runs of different keys do not wait for each other. */
export function coalesceBy<Key, Item, Result>(
  run: (key: Key, items: Item[]) => Promise<Result[]>,
  options: CoalesceOptions,
): (key: Key, item: Item) => Promise<Result> {
  const lines = new Map<Key, { add: (item: Item) => Promise<Result>; pending: number }>()
  return async (key, item) => {
    const line = lines.get(key) ?? { add: coalesce((items: Item[]) => run(key, items), options), pending: 0 }
    lines.set(key, line)
    line.pending += 1
    try {
      return await line.add(item)
    } finally {
      line.pending -= 1
      if (line.pending === 0) lines.delete(key)
    }
  }
}
