import { expect, it } from 'vitest'
import { findOptionByKey, findOptionByText } from './list-keys.ts'

const ids = ['audit.list', 'orders.cancel', 'orders.list', 'people.list']

it.each([
  ['orders.cancel', 'ArrowDown', 'orders.list'],
  ['people.list', 'ArrowDown', 'people.list'],
  ['orders.cancel', 'ArrowUp', 'audit.list'],
  ['audit.list', 'ArrowUp', 'audit.list'],
  ['orders.list', 'Home', 'audit.list'],
  ['orders.list', 'End', 'people.list'],
  ['orders.list', 'PageDown', undefined],
])('from %s the key %s leads to %s', (focused, key, expected) => {
  expect(findOptionByKey(ids, focused, key)).toBe(expected)
})

it.each([
  ['audit.list', 'o', 'orders.cancel'],
  ['orders.cancel', 'o', 'orders.list'],
  ['orders.list', 'o', 'orders.cancel'],
  ['orders.cancel', 'or', 'orders.cancel'],
  ['orders.cancel', 'ORDERS.L', 'orders.list'],
  ['people.list', 'a', 'audit.list'],
  ['people.list', 'x', undefined],
])('from %s the text %s leads to %s', (focused, text, expected) => {
  expect(findOptionByText(ids, focused, text)).toBe(expected)
})
