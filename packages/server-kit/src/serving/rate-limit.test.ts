import { describe, expect, it } from 'vitest'
import { HttpError } from './http-error.ts'
import { createRateLimiter } from './rate-limit.ts'

function limiter(perSecond: number, burst: number) {
  const clock = { now: 1_000_000 }
  const take = createRateLimiter({ perSecond, burst }, () => clock.now)
  /** Calls that pass, of so many at once. */
  const passed = (key: number, calls: number) => {
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
  return { clock, take, passed }
}

describe('a rate limit', () => {
  it('lets a burst through, and then as many as its rate', () => {
    const { clock, passed } = limiter(10, 5)
    expect(passed(1, 20)).toBe(5)
    clock.now += 300
    expect(passed(1, 20)).toBe(3)
    clock.now += 60_000
    expect(passed(1, 20)).toBe(5)
  })

  it('counts each key by itself', () => {
    const { passed } = limiter(1, 2)
    expect(passed(1, 5)).toBe(2)
    expect(passed(2, 5)).toBe(2)
  })

  it('says when to come again, in whole seconds', () => {
    const { clock, take } = limiter(0.25, 1)
    take(1)
    expect(() => take(1)).toThrow(expect.objectContaining({ status: 429, retryAfter: 4 }))
    clock.now += 3000
    expect(() => take(1)).toThrow(expect.objectContaining({ retryAfter: 1 }))
    clock.now += 1000
    take(1)
  })

  it('gives nothing for a clock that went back', () => {
    const { clock, passed } = limiter(10, 5)
    expect(passed(1, 5)).toBe(5)
    clock.now -= 10_000
    expect(passed(1, 5)).toBe(0)
    clock.now += 100
    expect(passed(1, 5)).toBe(1)
  })

  it('forgets a key only when its bucket is full again', () => {
    const { clock, passed } = limiter(1, 120)
    expect(passed(1, 200)).toBe(120)
    clock.now += 61_000
    passed(2, 1)
    expect(passed(1, 200)).toBe(61)
  })
})
