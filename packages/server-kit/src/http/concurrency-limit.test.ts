import { expect, it } from 'vitest'
import { createConcurrencyLimiter } from './concurrency-limit.ts'

const tooManyRequests = expect.objectContaining({ status: 429, retryAfter: 1 })

it('rejects calls of a key beyond its concurrency limit until one of them ends', () => {
  const enter = createConcurrencyLimiter(2)
  const end = enter('a')
  enter('a')
  expect(() => enter('a')).toThrow(tooManyRequests)
  end()
  enter('a')
  expect(() => enter('a')).toThrow(tooManyRequests)
})

it('counts the concurrent calls of each key separately', () => {
  const enter = createConcurrencyLimiter(1)
  enter('a')
  enter('b')
  expect(() => enter('b')).toThrow(tooManyRequests)
})
