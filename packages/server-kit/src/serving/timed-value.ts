/**
 * For how long something that was read from a table may be used after the table has changed: ten seconds, or
 * ten times as long as it took to read, at most a minute. So reading it takes at most a tenth of the time.
 */
export const getTimeToLive = (readMs: number): number => Math.min(Math.max(10_000, 10 * readMs), 60_000)

/** When a value was read, and for how long it may be used. */
export interface TimedValue<Value> {
  readonly at: number
  readonly ttlMs: number
  /** The value that replaces it, once a caller reads it again. */
  repeated?: Promise<Value>
}

/**
 * Returns a value, or a new one if it is too old. Callers at the same time read it again once, from half of
 * its time on, and wait for that only if it is too old.
 *
 * @param repeat Reads the value again.
 * @param forget Removes the value after a failure, so that the next caller reads it.
 */
export async function useTimedValue<Value>(
  timed: TimedValue<Value>,
  value: Value,
  repeat: () => Promise<Value>,
  forget: () => void,
): Promise<Value> {
  const age = Date.now() - timed.at
  if (age >= timed.ttlMs / 2 && timed.repeated === undefined) {
    timed.repeated = repeat()
    timed.repeated.catch(forget)
  }
  return age >= timed.ttlMs && timed.repeated !== undefined ? await timed.repeated : value
}

/** The maximum number of cached values of one project. */
const MAX_VALUES = 100

interface CachedValue<Value> extends TimedValue<Value> {
  readonly value: Value
}

/**
 * Creates a cache of values that take long to read, by the database of a project and a key. A value is used
 * for ten seconds, or for ten times as long as it takes to read, at most a minute.
 *
 * @param isCached Whether a value is cached. Others are read by each call.
 */
export function createTimedCache<Value>(
  isCached: (value: Value) => boolean,
): (database: object, key: string, read: () => Promise<Value>) => Promise<Value> {
  const valuesByDatabase = new WeakMap<object, Map<string, CachedValue<Value>>>()
  return async (database, key, read) => {
    const values = valuesByDatabase.get(database) ?? new Map<string, CachedValue<Value>>()
    valuesByDatabase.set(database, values)
    const readAndCache = async () => {
      const at = Date.now()
      const value = await read()
      values.delete(key)
      if (values.size >= MAX_VALUES) values.clear()
      if (isCached(value)) values.set(key, { value, at, ttlMs: getTimeToLive(Date.now() - at) })
      return value
    }
    const cached = values.get(key)
    if (cached === undefined) return await readAndCache()
    return await useTimedValue(cached, cached.value, readAndCache, () => values.delete(key))
  }
}
