/** Something that waits for others. */
export interface Queued {
  /** The payment's key. A group has one item of each payment. */
  readonly key: string
  readonly signal: AbortSignal
}

export interface BatchQueue<Item extends Queued, Result> {
  /**
   * Adds an item to the next group, which runs at the latest after `delayMs`. Resolves to `undefined` if a
   * group has an item with the key already, and to `'aborted'` if the signal ended the wait before the group
   * ran: then `run` never receives the item.
   */
  add(item: Item, delayMs: number): Promise<Result | undefined | 'aborted'>
}

/**
 * The results of one group, in the order of its items. Each resolves by itself, so that no item waits for
 * another one.
 */
export type RunGroup<Item, Result> = (items: readonly Item[]) => readonly Promise<Result | undefined>[]

interface Waiting<Item, Result> {
  readonly item: Item
  readonly due: number
  resolve(result: Promise<Result | undefined> | undefined | 'aborted'): void
}

/**
 * Creates a queue whose items run in groups of at most `maxItems`, as soon as one of them is due or the group
 * is full.
 */
export function createBatchQueue<Item extends Queued, Result>(
  run: RunGroup<Item, Result>,
  { maxItems }: { readonly maxItems: number },
): BatchQueue<Item, Result> {
  let waiting = new Map<string, Waiting<Item, Result>>()
  let timer: NodeJS.Timeout | undefined
  let timerDue = Number.POSITIVE_INFINITY

  function schedule(due: number): void {
    if (due >= timerDue) return
    clearTimeout(timer)
    timerDue = due
    timer = setTimeout(flush, Math.max(0, due - performance.now()))
  }

  function flush(): void {
    clearTimeout(timer)
    timerDue = Number.POSITIVE_INFINITY
    const group = [...waiting.values()]
    waiting = new Map()
    const results = run(group.map(({ item }) => item))
    for (const [index, each] of group.entries()) each.resolve(results[index])
  }

  return {
    add(item, delayMs) {
      const { key, signal } = item
      if (signal.aborted) return Promise.resolve('aborted')
      if (waiting.has(key)) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        const due = performance.now() + delayMs
        const abort = () => {
          if (waiting.get(key)?.item === item && waiting.delete(key)) resolve('aborted')
        }
        signal.addEventListener('abort', abort, { once: true })
        waiting.set(key, {
          item,
          due,
          resolve(result) {
            signal.removeEventListener('abort', abort)
            resolve(result)
          },
        })
        if (waiting.size >= maxItems) flush()
        else schedule(due)
      })
    },
  }
}
