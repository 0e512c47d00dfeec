import { expect, it } from 'vitest'
import { OrderStatus } from './order-info.ts'
import { findOrderStatusName } from './order-status-name.ts'

it.each(Object.entries(OrderStatus))('findOrderStatusName names the status %s', (name, orderStatus) => {
  expect(findOrderStatusName({ orderStatus })).toBe(name)
})

it('findOrderStatusName returns undefined for a status that a newer server added', () => {
  expect(findOrderStatusName({ orderStatus: 99 })).toBeUndefined()
})
