import { expect, it } from 'vitest'
import { createFailedAttemptLimiter } from './failed-attempts.ts'

const tooMany = expect.objectContaining({ status: 429, retryAfter: 1 })

function limited() {
  const clock = { now: 1_000_000 }
  const attempt = createFailedAttemptLimiter({ perSecond: 1, burst: 2 }, () => clock.now)
  return { clock, attempt }
}

it('refuses an address before a look-up once too many of its calls were refused, and lets it try again later', () => {
  const { clock, attempt } = limited()
  attempt('192.0.2.1', 'guess').fail()
  attempt('192.0.2.1', 'guess').fail()
  expect(() => attempt('192.0.2.1', 'guess')).toThrow(tooMany)
  attempt('192.0.2.2', 'guess')
  clock.now += 1000
  attempt('192.0.2.1', 'guess')
})

it('counts calls in progress in advance while calls of the address are refused', () => {
  const { attempt } = limited()
  attempt('192.0.2.1', 'guess').fail()
  const first = attempt('192.0.2.1', 'one')
  expect(() => attempt('192.0.2.1', 'two')).toThrow(tooMany)
  first.succeed()
  attempt('192.0.2.1', 'two')
})

it('lets any number of calls of an address begin at once when none of its calls was refused lately', () => {
  const { attempt } = limited()
  for (const call of Array.from({ length: 30 }, (_, key) => attempt('192.0.2.1', `key-${key}`)))
    call.succeed()
})

it('lets a credential that was accepted pass, whatever others at its address did', () => {
  const { attempt } = limited()
  attempt('192.0.2.1', 'good').succeed()
  attempt('192.0.2.1', 'guess').fail()
  attempt('192.0.2.1', 'guess').fail()
  attempt('192.0.2.1', 'good').succeed()
  expect(() => attempt('192.0.2.1', 'good').fail()).toThrow(tooMany)
  expect(() => attempt('192.0.2.1', 'guess')).toThrow(tooMany)
})

it('counts the addresses of an IPv6 network of 64 bits together', () => {
  const { attempt } = limited()
  attempt('2001:db8:1:2:3:4:5:6', undefined).fail()
  attempt('2001:db8:1:2::7', undefined).fail()
  expect(() => attempt('2001:db8:1:2::8', undefined)).toThrow(tooMany)
  attempt('2001:db8:1:3::8', undefined)
  attempt('::ffff:192.0.2.1', undefined)
})

it('counts no calls that came over no connection', () => {
  const { attempt } = limited()
  for (let call = 0; call < 5; call++) attempt(undefined, 'guess').fail()
})
