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

/** The longest time that a key has to wait for what it was charged after its calls. */
const MAX_DEBT_SECONDS = 10

/** Limits the calls of each key. */
export interface RateLimiter {
  /**
   * Takes tokens of a key, or returns one (-1). Throws 429 with the seconds to wait when the bucket has
   * fewer. A call that costs more than a burst needs a full bucket, and the next calls wait for the rest.
   */
  take(key: number | string, tokens?: number): void
  /**
   * Takes tokens of a key for a call that was accepted before, or returns some. The bucket may have fewer:
   * the next calls wait for the rest.
   */
  charge(key: number | string, tokens: number): void
}

interface Bucket {
  tokens: number
  at: number
}

/** Creates a rate limiter with a token bucket for each key. The limit applies to each process separately. */
export function createRateLimiter(
  { perSecond, burst }: RateLimit,
  now: () => number = Date.now,
): RateLimiter {
  const buckets = new Map<number | string, Bucket>()
  let sweptAt = now()

  function refill(key: number | string): Bucket {
    const time = now()
    if (time - sweptAt > SWEEP_INTERVAL_MS) {
      sweptAt = time
      for (const [name, { tokens: left, at }] of buckets) {
        if (left + ((time - at) * perSecond) / 1000 >= burst) buckets.delete(name)
      }
    }
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      // Callers can choose some keys, such as addresses. A flood of keys resets the buckets, so that memory
      // stays bounded.
      if (buckets.size >= MAX_BUCKETS) buckets.clear()
      bucket = { tokens: burst, at: time }
      buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, time - bucket.at) * perSecond) / 1000)
    bucket.at = time
    return bucket
  }

  return {
    take(key, tokens = 1) {
      const bucket = refill(key)
      const required = Math.min(tokens, burst)
      if (bucket.tokens < required) {
        const retryAfter = Math.max(1, Math.ceil((required - bucket.tokens) / perSecond))
        throw new HttpError(429, 'Too many requests. Retry later', { retryAfter })
      }
      bucket.tokens -= tokens
    },
    charge(key, tokens) {
      const bucket = refill(key)
      const left = Math.max(bucket.tokens - tokens, -MAX_DEBT_SECONDS * perSecond)
      bucket.tokens = Math.min(burst, left)
    },
  }
}
