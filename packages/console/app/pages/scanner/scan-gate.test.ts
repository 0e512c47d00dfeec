import { expect, it } from 'vitest'
import { createScanGate } from './scan-gate.ts'

it('accepts a card once while it stays in front of the camera, however long', () => {
  let time = 0
  const gate = createScanGate(() => time)
  const accepted = Array.from({ length: 200 }, () => {
    time += 100
    return gate.accept('one')
  })
  expect(accepted.filter(Boolean)).toHaveLength(1)
  expect(accepted[0]).toBe(true)
})

it('accepts a card again that was out of sight for three seconds, and not earlier', () => {
  let time = 0
  const gate = createScanGate(() => time)
  gate.accept('one')
  time += 2999
  expect(gate.accept('one')).toBe(false)
  time += 3000
  expect(gate.accept('one')).toBe(true)
})

it('accepts another card at once, and does not accept the first one between its pictures', () => {
  let time = 0
  const gate = createScanGate(() => time)
  const accepted = ['one', 'two', 'one', 'two', 'three'].map((code) => {
    time += 100
    return gate.accept(code)
  })
  expect(accepted).toEqual([true, true, false, false, true])
})
