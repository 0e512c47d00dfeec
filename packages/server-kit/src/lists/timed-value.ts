/**
 * For how long something that was read from a table may be used after the table has changed: ten seconds, or
 * ten times as long as it took to read, at most a minute. It is read again from half of that time on, so reads
 * of up to six seconds take at most a fifth of the time.
 */
const getTimeToLive = (readMs: number): number => Math.min(Math.max(10_000, 10 * readMs), 60_000)

/** When a value was read, and for how long it may be used. */
interface TimedValue<Value> {
  readonly at: number
  readonly ttlMs: number
  /** The read that replaces the value, if one has started. */
  repeated?: Promise<Value>
  /** Whether that read has failed. */
  hasFailed?: boolean
}

/**
 * Returns a cached value, or a new one if it has expired. From half of its time to live on, one caller starts to
 * read it again. Callers wait for that only after it has expired. A failed read is not repeated before that.
 *
 * @param repeat Reads the value again, and replaces it in its cache.
 */
async function readTimedValue<Value>(
  timed: TimedValue<Value>,
  value: Value,
  repeat: () => Promise<Value>,
): Promise<Value> {
  const age = Date.now() - timed.at
  const hasExpired = age >= timed.ttlMs
  const isRepeated = timed.repeated !== undefined && !(hasExpired && timed.hasFailed)
  if (age >= timed.ttlMs / 2 && !isRepeated) {
    timed.hasFailed = false
    timed.repeated = repeat()
    timed.repeated.catch(() => {
      timed.hasFailed = true
    })
  }
  return hasExpired && timed.repeated !== undefined ? await timed.repeated : value
}

/** The maximum number of cached values of one project. */
const MAX_VALUES = 100

interface CachedValue<Value> extends TimedValue<Value> {
  readonly value: Value
}

/**
 * Creates a cache of values that are slow to read, by the database of a project and a key. A value is used for
 * ten seconds, or for ten times as long as it takes to read, at most a minute.
 *
 * @param isCached Whether a value is cached. Others are read by each call, and are exact.
 */
export function createTimedCache<Value>(
  isCached: (value: Value) => boolean,
): (database: object, key: string, read: () => Promise<Value>) => Promise<Value> {
  const valuesByDatabase = new WeakMap<object, Map<string, CachedValue<Value>>>()
  return async (database, key, read) => {
    const values = valuesByDatabase.get(database) ?? new Map<string, CachedValue<Value>>()
    valuesByDatabase.set(database, values)
    let hasRead = false
    const readAndCache = async () => {
      hasRead = true
      const at = Date.now()
      const value = await read()
      values.delete(key)
      if (values.size >= MAX_VALUES) values.clear()
      if (isCached(value)) values.set(key, { value, at, ttlMs: getTimeToLive(Date.now() - at) })
      return value
    }
    const cached = values.get(key)
    if (cached === undefined) return await readAndCache()
    const value = await readTimedValue(cached, cached.value, readAndCache)
    // Another call may have begun to read it before this one, which must see what was written before it.
    return hasRead || isCached(value) ? value : await readAndCache()
  }
}
