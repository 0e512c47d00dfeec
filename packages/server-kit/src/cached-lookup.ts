export interface CachedLookupOptions {
  /** How long a result is used, in milliseconds; default 1,000. A revocation takes effect after that time. */
  ttlMs?: number
  /** The maximum number of cached values; default 10,000. */
  maxValues?: number
  /** The maximum number of cached names without a value; default 1,000. */
  maxMissing?: number
  now?: (() => number) | undefined
}

/**
 * Caches a lookup for a short time. Concurrent calls for a name share one lookup. A name without a value is
 * cached as long, so that a new key that was tried before its creation works after that time. A failed lookup
 * is not cached.
 */
export function cacheLookup<Result>(
  find: (name: string) => Promise<Result>,
  { ttlMs = 1000, maxValues = 10_000, maxMissing = 1000, now = Date.now }: CachedLookupOptions = {},
): (name: string) => Promise<Result> {
  const cache = new Map<string, { value: Promise<Result>; expiresAt: number }>()
  /**
   * Separate from the values, so that invented names do not evict existing ones. Maps a name to the time when
   * its entry expires.
   */
  const missing = new Map<string, number>()
  return (name) => {
    const cached = cache.get(name)
    const time = now()
    if (cached && cached.expiresAt > time) return cached.value
    // Only where `find` returned undefined.
    if ((missing.get(name) ?? 0) > time) return NOT_FOUND as Promise<Result>
    const value = find(name)
    const evict = () => {
      if (cache.get(name)?.value === value) cache.delete(name)
    }
    value.then((result) => {
      if (result !== undefined) {
        missing.delete(name)
        return
      }
      evict()
      if (missing.size >= maxMissing) missing.clear()
      missing.set(name, time + ttlMs)
    }, evict)
    if (cache.size >= maxValues) cache.clear()
    cache.set(name, { value, expiresAt: time + ttlMs })
    return value
  }
}

const NOT_FOUND: Promise<unknown> = Promise.resolve(undefined)
