import { Refusal } from './http-error.ts'

/**
 * Limits the calls that each key has in progress at once, in this process.
 *
 * @returns Begins a call of a key and answers what ends it; throws 429 when `limit` calls of the key are in progress.
 */
export function concurrencyLimiter(limit: number): (key: number | string) => () => void {
  const running = new Map<number | string, number>()
  return (key) => {
    const count = running.get(key) ?? 0
    if (count >= limit) throw new Refusal(429, 'Too many calls at once. Retry later', { retryAfter: 1 })
    running.set(key, count + 1)
    return () => {
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
}
