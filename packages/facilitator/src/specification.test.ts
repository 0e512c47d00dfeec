import * as v from 'valibot'
import { expect, it } from 'vitest'
import { payments } from './index.ts'

it('Settle stands where the specification says', () => {
  expect({ ...payments.settle }).toMatchObject({
    method: 'POST',
    path: '/settle',
    source: 'stated',
    effect: 'write',
    idempotent: false,
    // Its 200 has no body.
    result: 'header',
  })
  expect([payments.settle.params, payments.settle.query]).toEqual([undefined, undefined])
})

it('Settle takes any JSON object that carries a payment, and x402 extensions beside it', () => {
  const payment = { x402Version: 2, paymentPayload: { a: 1 }, paymentRequirements: {} }
  expect(payments.settle.openBody).toBe(true)
  expect(v.parse(v.looseObject(payments.settle.body ?? {}), { ...payment, extensions: 1 })).toEqual({
    ...payment,
    extensions: 1,
  })
  for (const name of Object.keys(payment))
    expect(v.safeParse(v.looseObject(payments.settle.body ?? {}), { ...payment, [name]: 'x' }).success).toBe(
      false,
    )
})

it.each([
  ['Health Check', payments.health, 'GET'],
  ['Supported', payments.supported, 'GET'],
  ['Verify', payments.verify, 'POST'],
])('%s has the method of the specification', (_, operation, method) => {
  expect({ ...operation }).toMatchObject({ method, source: 'method', service: 'facilitator' })
})
