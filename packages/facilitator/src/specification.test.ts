import { keepsIdempotencyKey, type OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import * as facilitator from './index.ts'
import { payments } from './index.ts'
import * as operator from './operator.ts'

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

it('the server keeps the Idempotency-Key of a settle and of every write of an operator', () => {
  const groups: readonly unknown[] = [...Object.values(facilitator), ...Object.values(operator)]
  const operations = groups.flatMap((group) => Object.values(Object(group))).filter(isOperation)
  const posts = operations.filter(({ method, effect }) => method === 'POST' && effect === 'write')
  expect(posts.filter(keepsIdempotencyKey).length).toBeGreaterThan(10)
  expect(posts.filter((each) => !keepsIdempotencyKey(each)).map(({ id }) => id)).toEqual([
    'webhooks.configure',
    'webhooks.redeliver',
    'webhooks.rotateSecret',
  ])
})

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'function' && 'method' in value
}
