import { Address, Amount, Empty, Integer, Positive, record, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from './fields.ts'
import { type NameOf, wordsOf } from './schema-words.ts'

const card = record({ id: Integer })
const nameOf: NameOf = (schema) => (schema === card ? '[Card](#card)' : undefined)

describe('the words for a schema', () => {
  it.each([
    ['a text', v.string(), '`string`'],
    ['a text that must not be empty', Text, '`string`, not empty'],
    ['a truth', v.boolean(), '`boolean`'],
    ['a time', Timestamp, '`timestamp`'],
    ['an amount', Amount, '`amount`'],
    ['an address', Address, '`address`'],
    ['what may be left out', v.optional(Amount), '`amount`'],
    ['a whole number', Positive, '`integer` from 1'],
    [
      'a bound of its own',
      v.pipe(Positive, v.maxValue(100, 'Expected an integer from 1 to 100')),
      '`integer` from 1 to 100',
    ],
    ['a whole number without our words', v.pipe(v.number(), v.integer()), '`integer`'],
    ['a pattern', v.pipe(v.string(), v.regex(/^0x/, 'Expected 0x and digits')), '`string`, 0x and digits'],
    ['a choice', v.picklist(['REDEEM', 'CHECK_IN']), "`'REDEEM'`, `'CHECK_IN'`"],
    ['a choice of numbers', v.picklist([1, 2]), '`1`, `2`'],
    ['a list', v.array(Text), 'list of `string`, not empty'],
    [
      'a list with a limit',
      v.pipe(
        v.array(card),
        v.check(() => true, 'Expected 1 to 500 cards'),
      ),
      'list of [Card](#card), 1 to 500 cards',
    ],
    ['a record by its name', card, '[Card](#card)'],
    ['nothing', Empty, 'an empty object'],
    ['an object of any fields', v.looseObject({}), 'object'],
    ['an object by name', v.record(v.string(), v.array(v.string())), 'object of list of `string` by name'],
  ])('tell %s', (_, schema, words) => {
    expect(wordsOf(schema, nameOf)).toBe(words)
  })

  it('are not made up for a schema that is not known', () => {
    expect(() => wordsOf(v.date(), nameOf)).toThrow('no word for a schema of type date')
  })
})

describe('the fields of an object', () => {
  it('are told with what stands inside of them, unless that has a name', () => {
    const entries = {
      name: v.optional(Text),
      phases: v.array(
        v.strictObject({ price: Amount, window: v.optional(v.strictObject({ from: Timestamp })) }),
      ),
      card,
    }
    const told = { name: 'Its name.', 'phases.price': 'Of one.', 'phases.window.from': 'When it opens.' }
    expect(fieldsOf(entries, told, nameOf)).toEqual([
      { name: 'name', type: '`string`, not empty', required: false, meaning: 'Its name.' },
      { name: 'phases', type: 'list of object', required: true, meaning: '' },
      { name: 'phases[].price', type: '`amount`', required: true, meaning: 'Of one.' },
      { name: 'phases[].window', type: 'object', required: false, meaning: '' },
      { name: 'phases[].window.from', type: '`timestamp`', required: true, meaning: 'When it opens.' },
      { name: 'card', type: '[Card](#card)', required: true, meaning: '' },
    ])
  })
})
