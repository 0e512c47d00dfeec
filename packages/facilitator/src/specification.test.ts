import * as v from 'valibot'
import { expect, it } from 'vitest'
import { payments } from './index.ts'

it('payments.settle has the method and path of the specification', () => {
  expect({ ...payments.settle }).toMatchObject({
    method: 'POST',
    path: '/settle',
    source: 'stated',
    effect: 'write',
    idempotent: false,
    // The response with status 200 has no body.
    result: 'header',
  })
  expect([payments.settle.params, payments.settle.query]).toEqual([undefined, undefined])
})

it('payments.settle accepts any payment object together with x402 extensions', () => {
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
  ['payments.health', payments.health, 'GET'],
  ['payments.supported', payments.supported, 'GET'],
  ['payments.verify', payments.verify, 'POST'],
])('%s has the method of the specification', (_, operation, method) => {
  expect({ ...operation }).toMatchObject({ method, source: 'method', service: 'facilitator' })
})
