import { expect, it } from 'vitest'
import { refusedCalls } from './refused-calls.ts'

const tooMany = expect.objectContaining({ status: 429, retryAfter: 1 })

function limited() {
  const clock = { now: 1_000_000 }
  const attempt = refusedCalls({ perSecond: 1, burst: 2 }, () => clock.now)
  return { clock, attempt }
}

it('refuses an address before a look-up once too many of its calls were refused, and lets it try again later', () => {
  const { clock, attempt } = limited()
  attempt('192.0.2.1', 'guess').refuse()
  attempt('192.0.2.1', 'guess').refuse()
  expect(() => attempt('192.0.2.1', 'guess')).toThrow(tooMany)
  attempt('192.0.2.2', 'guess')
  clock.now += 1000
  attempt('192.0.2.1', 'guess')
})

it('counts calls in progress as refused until they are accepted', () => {
  const { attempt } = limited()
  const [first] = [attempt('192.0.2.1', 'one'), attempt('192.0.2.1', 'two')]
  expect(() => attempt('192.0.2.1', 'three')).toThrow(tooMany)
  first?.accept()
  attempt('192.0.2.1', 'three')
})

it('lets a credential that was accepted pass, whatever others at its address did', () => {
  const { attempt } = limited()
  attempt('192.0.2.1', 'good').accept()
  attempt('192.0.2.1', 'guess').refuse()
  attempt('192.0.2.1', 'guess').refuse()
  attempt('192.0.2.1', 'good').accept()
  expect(() => attempt('192.0.2.1', 'good').refuse()).toThrow(tooMany)
  expect(() => attempt('192.0.2.1', 'guess')).toThrow(tooMany)
})

it('counts the addresses of an IPv6 network of 64 bits together', () => {
  const { attempt } = limited()
  attempt('2001:db8:1:2:3:4:5:6', undefined)
  attempt('2001:db8:1:2::7', undefined)
  expect(() => attempt('2001:db8:1:2::8', undefined)).toThrow(tooMany)
  attempt('2001:db8:1:3::8', undefined)
  attempt('::ffff:192.0.2.1', undefined)
})

it('counts no calls that came over no connection', () => {
  const { attempt } = limited()
  for (let call = 0; call < 5; call++) attempt(undefined, 'guess').refuse()
})
