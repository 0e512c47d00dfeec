import { HttpError } from './http-error.ts'

/**
 * Creates a limiter of the concurrent calls of each key, in this process.
 *
 * @returns Begins a call of a key and returns the function that ends it; throws 429 when `limit` calls of the
 * key are in progress.
 */
export function createConcurrencyLimiter(limit: number): (key: number | string) => () => void {
  const running = new Map<number | string, number>()
  return (key) => {
    const count = running.get(key) ?? 0
    if (count >= limit)
      throw new HttpError(429, 'Too many concurrent requests. Retry later', { retryAfter: 1 })
    running.set(key, count + 1)
    return () => {
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
}
