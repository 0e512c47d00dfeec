import { expect, it } from 'vitest'
import { formatActor } from './actor.ts'

it.each([
  ['key:mk_ZczHFPOF_EpX4W25UhfPVg', 'API key mk_ZczHF…fPVg'],
  ['publishable-key:pk_ZczHFPOF_EpX4W25UhfPVg', 'publishable key pk_ZczHF…fPVg'],
  ['person:7c89d989-389d-417e-948d-1740e2ccb56d', 'person 7c89d989…b56d'],
  ['job:orders', 'the job “orders”'],
  ['command:keys create (root)', 'the command keys create (root)'],
  ['server', 'the server'],
  ['unknown', 'unknown'],
  ['robot:7', 'robot:7'],
])('formats %s', (actor, text) => {
  expect(formatActor(actor)).toBe(text)
})
