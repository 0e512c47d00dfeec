/** A value that components follow by `useSyncExternalStore`. */
export interface Store<Value> {
  get(): Value
  set(value: Value): void
  /** Calls a function after each change. Returns the function that ends it. */
  subscribe(notify: () => void): () => void
}

/** Creates a store. */
export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const notify of listeners) notify()
    },
    subscribe: (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
  }
}
