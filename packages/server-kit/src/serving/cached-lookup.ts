export interface FoundLatelyOptions {
  /** How long a find is used without looking again, in milliseconds; default 1,000: a revocation takes hold after that. */
  keptMs?: number
  /** How many finds are kept; default 10,000. */
  most?: number
  /** How many names that were not found are kept, for as long; default 1,000. */
  mostMissing?: number
  now?: (() => number) | undefined
}

/**
 * Looks a name up, such as a key's, and uses what was found for a moment. Calls that come while one looks wait for the same answer. A name
 * that was not found is kept as long, so that a new key works within that time also where it was tried before it was made.
 */
export function foundLately<Value>(
  find: (name: string) => Promise<Value | undefined>,
  { keptMs = 1000, most = 10_000, mostMissing = 1000, now = Date.now }: FoundLatelyOptions = {},
): (name: string) => Promise<Value | undefined> {
  const kept = new Map<string, { value: Promise<Value | undefined>; until: number }>()
  /** Apart from what was found, so that invented names push no real one out. */
  const missing = new Map<string, number>()
  return (name) => {
    const known = kept.get(name)
    const time = now()
    if (known && known.until > time) return known.value
    if ((missing.get(name) ?? 0) > time) return NOT_FOUND
    const value = find(name)
    const forget = () => {
      if (kept.get(name)?.value === value) kept.delete(name)
    }
    value.then((found) => {
      if (found !== undefined) {
        missing.delete(name)
        return
      }
      forget()
      if (missing.size >= mostMissing) missing.clear()
      missing.set(name, time + keptMs)
    }, forget)
    if (kept.size >= most) kept.clear()
    kept.set(name, { value, until: time + keptMs })
    return value
  }
}

const NOT_FOUND = Promise.resolve(undefined)
