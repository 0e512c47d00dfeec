import { Refusal } from './http-error.ts'

export interface RateLimit {
  /** Calls a second, over time. */
  perSecond: number
  /** Calls at once. */
  burst: number
}

/** Buckets that are kept; a bucket takes about 100 bytes. */
const MAX_BUCKETS = 100_000

/**
 * A token bucket for each key, in this process: with several processes each lets through its share. Buckets that are full
 * again are forgotten.
 */
export function rateLimiter({ perSecond, burst }: RateLimit, now: () => number = Date.now) {
  const buckets = new Map<number | string, { tokens: number; at: number }>()
  let swept = now()
  /** Takes one call of the key's, or gives one back (-1); throws 429 with the seconds to wait when there is none. */
  return function take(key: number | string, calls: 1 | -1 = 1): void {
    const time = now()
    if (time - swept > 60_000) {
      swept = time
      for (const [name, { tokens, at }] of buckets) {
        if (tokens + ((time - at) * perSecond) / 1000 >= burst) buckets.delete(name)
      }
    }
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      // Names are the caller's to choose, such as addresses. Who floods the buckets empties them for all.
      if (buckets.size >= MAX_BUCKETS) buckets.clear()
      bucket = { tokens: burst, at: time }
      buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.at) * perSecond) / 1000)
    bucket.at = time
    if (bucket.tokens < calls) {
      const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      throw new Refusal(429, 'Too many calls', { retryAfter })
    }
    bucket.tokens -= calls
  }
}
