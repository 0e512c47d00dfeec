import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applicableStoresOf } from './applicable-stores.ts'

it.each([
  ['', []],
  ['[]', []],
  ['["Berlin","Köln, Dom"]', ['Berlin', 'Köln, Dom']],
  ['Berlin', ['Berlin']],
  ['Berlin, Hamburg ,', ['Berlin', 'Hamburg']],
  ['[old] shop, Hamburg', ['[old] shop', 'Hamburg']],
  ['[1,2]', ['1', '2']],
])('%j is read as %j', (applicableStores, stores) => {
  expect(applicableStoresOf({ applicableStores })).toEqual(stores)
})

it('reads whatever our servers write', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (stores) => {
      expect(applicableStoresOf({ applicableStores: JSON.stringify(stores) })).toEqual(stores)
    }),
  )
})
