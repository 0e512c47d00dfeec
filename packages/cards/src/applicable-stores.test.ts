import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseApplicableStores } from './applicable-stores.ts'

it.each([
  ['', []],
  ['[]', []],
  ['["Berlin","Köln, Dom"]', ['Berlin', 'Köln, Dom']],
  ['Berlin', ['Berlin']],
  ['Berlin, Hamburg ,', ['Berlin', 'Hamburg']],
  ['[old] shop, Hamburg', ['[old] shop', 'Hamburg']],
  ['[1,2]', ['1', '2']],
])('parseApplicableStores parses %j as %j', (applicableStores, stores) => {
  expect(parseApplicableStores({ applicableStores })).toEqual(stores)
})

it('parseApplicableStores parses the JSON text of any list of stores', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (stores) => {
      expect(parseApplicableStores({ applicableStores: JSON.stringify(stores) })).toEqual(stores)
    }),
  )
})
