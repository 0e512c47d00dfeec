import { expect, it } from 'vitest'
import { HttpError } from './http-error.ts'
import { createRateLimiter } from './rate-limit.ts'

function createLimiter(perSecond: number, burst: number) {
  const clock = { now: 1_000_000 }
  const { take, charge } = createRateLimiter({ perSecond, burst }, () => clock.now)
  /** Makes calls at the same time and counts those that pass. */
  const countPassed = (key: number, calls: number) => {
    let count = 0
    for (let call = 0; call < calls; call++) {
      try {
        take(key)
        count += 1
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
      }
    }
    return count
  }
  return { clock, take, charge, countPassed }
}

it('a rate limit accepts a burst, and then as many calls as its rate allows', () => {
  const { clock, countPassed } = createLimiter(10, 5)
  expect(countPassed(1, 20)).toBe(5)
  clock.now += 300
  expect(countPassed(1, 20)).toBe(3)
  clock.now += 60_000
  expect(countPassed(1, 20)).toBe(5)
})

it('a rate limit accepts a call that costs more than a burst once the bucket is full, and then waits for all of it', () => {
  const { clock, take } = createLimiter(10, 20)
  take(1, 50)
  expect(() => take(1)).toThrow(expect.objectContaining({ status: 429, retryAfter: 4 }))
  clock.now += 3000
  expect(() => take(1)).toThrow(expect.objectContaining({ retryAfter: 1 }))
  clock.now += 1000
  take(1)
  expect(() => take(1, 50)).toThrow(expect.objectContaining({ retryAfter: 2 }))
  clock.now += 2000
  take(1, 50)
})

it('a rate limit waits for what a call was charged afterwards, at most ten seconds', () => {
  const { clock, charge, countPassed } = createLimiter(10, 20)
  charge(1, 50)
  expect(countPassed(1, 1)).toBe(0)
  clock.now += 3100
  expect(countPassed(1, 5)).toBe(1)
  charge(1, 1_000_000)
  clock.now += 10_000
  expect(countPassed(1, 1)).toBe(0)
  clock.now += 100
  expect(countPassed(1, 1)).toBe(1)
})

it('a rate limit adds no tokens when the clock goes back', () => {
  const { clock, countPassed } = createLimiter(10, 5)
  expect(countPassed(1, 5)).toBe(5)
  clock.now -= 10_000
  expect(countPassed(1, 5)).toBe(0)
  clock.now += 100
  expect(countPassed(1, 5)).toBe(1)
})

it('a rate limit removes a key only when its bucket is full', () => {
  const { clock, countPassed } = createLimiter(1, 120)
  expect(countPassed(1, 200)).toBe(120)
  clock.now += 61_000
  countPassed(2, 1)
  expect(countPassed(1, 200)).toBe(61)
})
