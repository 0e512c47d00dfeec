import { expect, it } from 'vitest'
import { createFailedAttemptLimiter } from './failed-attempts.ts'

const tooMany = expect.objectContaining({ status: 429, retryAfter: 1 })

function createLimiter() {
  const clock = { now: 1_000_000 }
  const begin = createFailedAttemptLimiter({ perSecond: 1, burst: 2 }, () => clock.now)
  return { clock, begin }
}

it('rejects an address before the lookup once too many of its calls have failed, until its limit refills', () => {
  const { clock, begin } = createLimiter()
  begin('192.0.2.1', 'guess').fail()
  begin('192.0.2.1', 'guess').fail()
  expect(() => begin('192.0.2.1', 'guess')).toThrow(tooMany)
  begin('192.0.2.2', 'guess')
  clock.now += 1000
  begin('192.0.2.1', 'guess')
})

it('counts calls in progress in advance after a call of their address has failed', () => {
  const { begin } = createLimiter()
  begin('192.0.2.1', 'guess').fail()
  const first = begin('192.0.2.1', 'one')
  expect(() => begin('192.0.2.1', 'two')).toThrow(tooMany)
  first.succeed()
  begin('192.0.2.1', 'two')
})

it('accepts any number of concurrent calls of an address without a recent failure', () => {
  const { begin } = createLimiter()
  for (const call of Array.from({ length: 30 }, (_, key) => begin('192.0.2.1', `key-${key}`))) call.succeed()
})

it('accepts a credential that was valid before, even when its address has reached the limit', () => {
  const { begin } = createLimiter()
  begin('192.0.2.1', 'good').succeed()
  begin('192.0.2.1', 'guess').fail()
  begin('192.0.2.1', 'guess').fail()
  begin('192.0.2.1', 'good').succeed()
  expect(() => begin('192.0.2.1', 'good').fail()).toThrow(tooMany)
  expect(() => begin('192.0.2.1', 'guess')).toThrow(tooMany)
})

it('counts the IPv6 addresses of one 64-bit network together', () => {
  const { begin } = createLimiter()
  begin('2001:db8:1:2:3:4:5:6', undefined).fail()
  begin('2001:db8:1:2::7', undefined).fail()
  expect(() => begin('2001:db8:1:2::8', undefined)).toThrow(tooMany)
  begin('2001:db8:1:3::8', undefined)
  begin('::ffff:192.0.2.1', undefined)
})

it('counts the addresses of an IPv6 network whose groups of zeros are omitted together', () => {
  const { begin } = createLimiter()
  begin('2001:db8::1', undefined).fail()
  begin('2001:db8::2:0:0:7', undefined).fail()
  expect(() => begin('2001:db8:0:0:a:b:c:d', undefined)).toThrow(tooMany)
  begin('2001:db8:0:1::1', undefined)
  begin('::1', undefined)
})

it('does not count the calls of an application that runs without a server', () => {
  const { begin } = createLimiter()
  for (let call = 0; call < 5; call++) begin(undefined, 'guess').fail()
})
