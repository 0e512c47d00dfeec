import { expect, it } from 'vitest'
import { createConcurrencyLimiter } from './concurrency-limit.ts'

const refused = expect.objectContaining({ status: 429, retryAfter: 1 })

it('refuses calls beyond the limit of a key until one of them ends', () => {
  const enter = createConcurrencyLimiter(2)
  const [end] = [enter('a'), enter('a')]
  expect(() => enter('a')).toThrow(refused)
  end?.()
  enter('a')
  expect(() => enter('a')).toThrow(refused)
})

it('counts the calls of each key apart', () => {
  const enter = createConcurrencyLimiter(1)
  enter('a')
  enter('b')
  expect(() => enter('b')).toThrow(refused)
})
