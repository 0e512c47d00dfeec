import { expect, it } from 'vitest'
import { concurrencyLimiter } from './concurrency-limit.ts'

const refused = expect.objectContaining({ status: 429, retryAfter: 1 })

it('refuses calls beyond the limit of a key until one of them ends', () => {
  const enter = concurrencyLimiter(2)
  const [end] = [enter('a'), enter('a')]
  expect(() => enter('a')).toThrow(refused)
  end?.()
  enter('a')
  expect(() => enter('a')).toThrow(refused)
})

it('counts the calls of each key apart', () => {
  const enter = concurrencyLimiter(1)
  enter('a')
  enter('b')
  expect(() => enter('b')).toThrow(refused)
})
