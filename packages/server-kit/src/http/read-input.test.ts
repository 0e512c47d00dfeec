import { gatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { validateInput } from './read-input.ts'

it('the message about an invalid input names three fields, and says how many more there are', () => {
  const body = { a: v.string(), b: v.string(), c: v.string(), d: v.string(), e: v.string() }
  const shape = { method: 'POST', path: '/a', source: 'own', data: v.null_() } as const
  const create = gatewayOperation({ ...shape, id: 'cards.create', body })
  const validate = (input: Record<string, unknown>) => () => validateInput(create, input, () => undefined)
  expect(validate({})).toThrow(/^a: \w+; b: \w+; c: \w+; 2 more$/)
  expect(validate({ a: '', b: '' })).toThrow(/^c: \w+; d: \w+; e: \w+$/)
})
