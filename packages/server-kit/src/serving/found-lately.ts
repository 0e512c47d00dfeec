export interface FoundLatelyOptions {
  /** How long a find is used without looking again, in milliseconds; default 1,000: a revocation takes hold after that. */
  keptMs?: number
  /** How many finds are kept; default 10,000. */
  most?: number
  now?: (() => number) | undefined
}

/**
 * Looks a name up, such as a key's, and uses what was found again for a moment. Calls that come while one looks wait for the same answer.
 * What is not there is looked for each time.
 */
export function foundLately<Value>(
  find: (name: string) => Promise<Value | undefined>,
  { keptMs = 1000, most = 10_000, now = Date.now }: FoundLatelyOptions = {},
): (name: string) => Promise<Value | undefined> {
  const kept = new Map<string, { value: Promise<Value | undefined>; until: number }>()
  return (name) => {
    const known = kept.get(name)
    const time = now()
    if (known && known.until > time) return known.value
    const value = find(name)
    const forget = () => {
      if (kept.get(name)?.value === value) kept.delete(name)
    }
    value.then((found) => found ?? forget(), forget)
    if (kept.size >= most) kept.clear()
    kept.set(name, { value, until: time + keptMs })
    return value
  }
}
