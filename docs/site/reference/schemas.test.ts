import { Amount, Integer, Positive, record, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { describeSchema, fieldsOf, type NameOf } from './schemas.ts'

const card = record({ id: Integer })
const nameOf: NameOf = (schema) => (schema === card ? '[Card](#card)' : undefined)

const upTo500 = v.pipe(
  v.array(card),
  v.check(() => true, 'Expected 1 to 500 cards'),
)

it.each([
  [v.optional(Amount), '`amount`'],
  [v.pipe(Positive, v.maxValue(100, 'Expected an integer from 1 to 100')), '`integer` from 1 to 100'],
  [v.pipe(v.number(), v.integer()), '`integer`'],
  [v.pipe(v.string(), v.regex(/^0x/, 'Expected 0x and digits')), '`string`, 0x and digits'],
  [v.picklist(['REDEEM', 'CHECK_IN']), "`'REDEEM'`, `'CHECK_IN'`"],
  [upTo500, 'list of [Card](#card), 1 to 500 cards'],
  [v.record(v.string(), v.array(v.string())), 'object of list of `string` by name'],
])('describes a schema by its type and limits: $1', (schema, words) => {
  expect(describeSchema(schema, nameOf)).toBe(words)
})

it('refuses to describe a schema of an unknown type', () => {
  expect(() => describeSchema(v.date(), nameOf)).toThrow('no word for a schema of type date')
})

it('lists the fields of an object with the fields inside of them, except for named records', () => {
  const window = v.strictObject({ from: Timestamp })
  const phases = v.array(v.strictObject({ price: Amount, window: v.optional(window) }))
  const docs = { 'phases.price': 'The price.', 'phases.window.from': 'When it opens.' }
  const fields = fieldsOf({ name: v.optional(Text), phases, card }, docs, nameOf)
  expect(fields.map(({ name, required, meaning }) => [name, required, meaning])).toEqual([
    ['name', false, ''],
    ['phases', true, ''],
    ['phases[].price', true, 'The price.'],
    ['phases[].window', false, ''],
    ['phases[].window.from', true, 'When it opens.'],
    ['card', true, ''],
  ])
})
