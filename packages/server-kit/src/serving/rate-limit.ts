import { HttpError } from './http-error.ts'

export interface RateLimit {
  /** Calls per second, on average. */
  perSecond: number
  /** Calls in a burst. */
  burst: number
}

/** A bucket takes about 100 bytes. */
const MAX_BUCKETS = 100_000
/** How often full buckets are removed. */
const SWEEP_INTERVAL_MS = 60_000

/**
 * Creates a rate limiter with a token bucket for each key. The limit applies to each process separately.
 *
 * @returns Takes a token of the key, or returns one (-1); throws 429 with the seconds to wait when the bucket is empty.
 */
export function createRateLimiter({ perSecond, burst }: RateLimit, now: () => number = Date.now) {
  const buckets = new Map<number | string, { tokens: number; at: number }>()
  let sweptAt = now()
  return function take(key: number | string, tokens: 1 | -1 = 1): void {
    const time = now()
    if (time - sweptAt > SWEEP_INTERVAL_MS) {
      sweptAt = time
      for (const [name, { tokens: left, at }] of buckets) {
        if (left + ((time - at) * perSecond) / 1000 >= burst) buckets.delete(name)
      }
    }
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      // Callers can choose some keys, such as addresses. A flood of keys resets the buckets, so that memory stays bounded.
      if (buckets.size >= MAX_BUCKETS) buckets.clear()
      bucket = { tokens: burst, at: time }
      buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.at) * perSecond) / 1000)
    bucket.at = time
    if (bucket.tokens < tokens) {
      const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      throw new HttpError(429, 'Too many requests. Retry later', { retryAfter })
    }
    bucket.tokens -= tokens
  }
}
