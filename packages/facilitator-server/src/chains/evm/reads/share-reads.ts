/**
 * Returns a function like `read`. A caller shares the read of an earlier caller with the same key, if it has
 * not ended. Keys are equal if `keyOf` returns the same text.
 */
export function shareReads<Key, Value>(
  read: (key: Key) => Promise<Value>,
  keyOf: (key: Key) => string,
): (key: Key) => Promise<Value> {
  const reads = new Map<string, Promise<Value>>()
  return (key) => {
    const text = keyOf(key)
    const started = reads.get(text) ?? read(key).finally(() => reads.delete(text))
    reads.set(text, started)
    return started
  }
}
