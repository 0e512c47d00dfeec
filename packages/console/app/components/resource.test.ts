import { stores } from '@mintmark/cards'
import { orders } from '@mintmark/orders'
import { expect, it } from 'vitest'
import { defineResource } from './resource.tsx'

// The type check of the console fails where an expected error does not occur.
const empty = { icon: 'store', title: 'Nothing yet' } as const

it('checks the columns of a list against the records of its operation', () => {
  const page = defineResource(stores.list, {
    title: 'Stores',
    // @ts-expect-error A store has no field `owner`.
    columns: { name: 'Name', owner: 'Owner' },
    getKey: ({ id }) => id,
    empty,
  })
  expect(page).toBeTypeOf('function')
})

it('checks the filters of a list against the input of its operation', () => {
  const page = defineResource(orders.list, {
    title: 'Orders',
    columns: { orderNo: 'Number' },
    getKey: ({ orderNo }) => orderNo,
    filters: {
      // @ts-expect-error The operation has no input `shop`.
      q: { label: 'Search', toInput: (shop) => ({ shop }) },
    },
    empty,
  })
  expect(page).toBeTypeOf('function')
})
