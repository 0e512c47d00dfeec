import { Amount, Integer, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { createLimitCheck, DEFAULT_FIELD_LIMIT, type FieldLimits, listLimitedFields } from './field-limits.ts'

const operation = gatewayOperation({
  id: 'cards.create',
  method: 'POST',
  path: '/cards',
  source: 'own',
  query: { keyword: v.optional(v.string()) },
  body: {
    name: Text,
    price: v.optional(Amount),
    endTime: v.optional(Timestamp),
    stores: v.optional(v.array(Text)),
    cards: v.optional(v.array(v.object({ name: Text, tags: v.array(v.string()) }))),
    extension: v.optional(v.looseObject({})),
    target: v.optional(v.union([v.literal('all'), Text])),
    count: v.optional(v.number()),
    share: v.optional(v.number()),
    supply: v.optional(v.number()),
    version: v.optional(Integer),
    status: v.optional(v.string()),
  },
  data: v.object({}),
})
const limits: FieldLimits = {
  keyword: { characters: 10 },
  name: { characters: 5 },
  'cards[].name': { characters: 3 },
  cards: { items: 2 },
  tags: { items: 2, characters: 4 },
  stores: { items: 3, characters: 4, bytes: 14 },
  extension: { bytes: 20 },
  target: { characters: 4 },
  count: { max: 9 },
  share: { min: 0, max: 100 },
  supply: { min: 0, integer: true },
  version: { min: 0 },
  status: { characters: 32, oneOf: ['DISPLAY', 'HIDDEN'] },
}
const check = createLimitCheck(operation, limits)

it.each<[string, Record<string, unknown>]>([
  ['a text with the maximum number of code points', { name: '🎟🎟🎟🎟🎟' }],
  ['an array with the maximum number of items', { stores: ['a', 'b', 'c'] }],
  ['an object with the maximum number of bytes', { extension: { a: 'x'.repeat(12) } }],
  ['a field that is absent', {}],
  ['the longest amount', { price: '9'.repeat(78) }],
  ['the largest number', { count: 9 }],
  ['numbers at both ends of a range', { share: 100 }],
  ['a fraction within a range', { share: 0.5 }],
  ['the smallest integer', { supply: 0, version: 0 }],
  ['one of the listed texts', { status: 'HIDDEN' }],
])('the limits of input fields accept %s', (_, input) => {
  expect(check(input)).toBeUndefined()
})

it.each<[string, Record<string, unknown>, string, string]>([
  ['a text with one character too many', { name: 'abcdef' }, 'name', '5 characters'],
  ['a text with one emoji too many', { name: '🎟'.repeat(6) }, 'name', '5 characters'],
  ['control characters of six bytes each', { name: '\u0001'.repeat(5) }, 'name', '20 bytes'],
  ['a long text of a query', { keyword: 'x'.repeat(11) }, 'keyword', '10 characters'],
  ['an array with one item too many', { stores: ['a', 'b', 'c', 'd'] }, 'stores', '3 items'],
  ['an array with too many bytes', { stores: ['abcd', 'abcd', 'a'] }, 'stores', '14 bytes of JSON'],
  ['a long item of an array', { stores: ['abcde'] }, 'stores.0', '4 characters'],
  ['a nested text by its own path', { cards: [{ name: 'abcd', tags: [] }] }, 'cards.0.name', '3 characters'],
  [
    'a nested array by its name alone',
    { cards: [{ name: 'a', tags: ['a', 'b', 'c'] }] },
    'cards.0.tags',
    '2 items',
  ],
  ['an object with one byte too many', { extension: { a: 'x'.repeat(13) } }, 'extension', '20 bytes of JSON'],
  ['a long text of a union', { target: 'every' }, 'target', '4 characters'],
  [
    'a date-time with a long fraction',
    { endTime: `2026-01-01T00:00:00.${'0'.repeat(64)}Z` },
    'endTime',
    '64',
  ],
  ['a number above its maximum', { count: 10 }, 'count', 'at most 9'],
  ['a number above a range', { share: 100.5 }, 'share', 'a number from 0 to 100'],
  ['a number below a range', { share: -0.5 }, 'share', 'a number from 0 to 100'],
  ['a fraction in place of an integer', { supply: 1.5 }, 'supply', 'an integer from 0'],
  ['a negative integer', { version: -1 }, 'version', 'an integer from 0'],
  ['a text that is not listed', { status: 'SOLD' }, 'status', 'DISPLAY or HIDDEN'],
  ['an array in place of an open object', { extension: [] }, 'extension', 'received an array'],
])('the limits of input fields refuse %s', (_, input, path, message) => {
  expect(check(input)).toEqual({ path, message: expect.stringContaining(message) })
})

it('the limits of input fields have a default for a field without a declared limit', () => {
  const checkDefaults = createLimitCheck(operation)
  expect(checkDefaults({ name: 'x'.repeat(DEFAULT_FIELD_LIMIT.characters) })).toBeUndefined()
  expect(checkDefaults({ name: 'x'.repeat(DEFAULT_FIELD_LIMIT.characters + 1) })).toMatchObject({
    path: 'name',
  })
})

it('the limits of input fields are listed for every text, array and open object, declared or not', () => {
  const listed = listLimitedFields(operation, { name: { characters: 5 } })
  const paths = (declared: boolean) =>
    listed.filter((field) => field.declared === declared).map(({ path }) => path)
  expect(paths(true)).toEqual(['name', 'price', 'endTime', 'cards[].name'])
  expect(paths(false)).toEqual([
    'keyword',
    'stores',
    'stores[]',
    'cards',
    'cards[].tags',
    'cards[].tags[]',
    'extension',
    'target',
    'status',
  ])
})
