import type { Kysely } from 'kysely'
import { findListSegments } from '../postgres/list-segments.ts'

/**
 * How long a value is not read again after it could not be read. A statement that took too long would take too
 * long again.
 */
const FAILURE_TTL_MS = 60_000

export interface BackgroundOptions {
  /** The maximum number of cached values of one project, and of those that could not be read. */
  readonly maxValues: number
  /** What is logged when a value cannot be read. Callers can do without. */
  readonly failure: string
}

/** Cached values of the lists of one project, which are read in the background, one at a time. */
export interface BackgroundReads<Value> {
  readonly values: Map<string, Value>
  /** The read in progress. */
  readonly reading: { readonly key: string; readonly result: Promise<void> } | undefined
  /**
   * Starts to read the value of a key, unless another one is being read or this one has just failed.
   *
   * @param table The table of the list, for the log.
   * @param read Returns undefined if there is no value to cache.
   */
  start(key: string, table: string, read: () => Promise<Value | undefined>): void
}

/** Creates the caches of all projects. Returns that of the project of a database. */
export function createBackgroundReads<Value>(
  options: BackgroundOptions,
): (db: Kysely<never>) => BackgroundReads<Value> {
  const readsByDatabase = new WeakMap<object, BackgroundReads<Value>>()
  return (db) => {
    const reads = readsByDatabase.get(db) ?? createReads<Value>(db, options)
    readsByDatabase.set(db, reads)
    return reads
  }
}

function createReads<Value>(
  db: Kysely<never>,
  { maxValues, failure }: BackgroundOptions,
): BackgroundReads<Value> {
  const values = new Map<string, Value>()
  const failedAt = new Map<string, number>()
  let reading: BackgroundReads<Value>['reading']

  /** Adds an entry to a map. Removes the others if there are too many. */
  function setLimited<Item>(map: Map<string, Item>, key: string, item: Item): void {
    if (map.size >= maxValues && !map.has(key)) map.clear()
    map.set(key, item)
  }

  async function readValue(
    key: string,
    table: string,
    read: () => Promise<Value | undefined>,
  ): Promise<void> {
    try {
      const value = await read()
      failedAt.delete(key)
      if (value !== undefined) setLimited(values, key, value)
    } catch (error) {
      findListSegments(db)?.log?.warn({ err: error, table }, failure)
      setLimited(failedAt, key, Date.now())
    } finally {
      reading = undefined
    }
  }

  return {
    values,
    get reading() {
      return reading
    },
    start(key, table, read) {
      const failed = failedAt.get(key)
      const hasJustFailed = failed !== undefined && Date.now() - failed < FAILURE_TTL_MS
      if (reading === undefined && !hasJustFailed) reading = { key, result: readValue(key, table, read) }
    },
  }
}
