import { expect, it } from 'vitest'
import { standing } from './listing-standing-rules.ts'

const listings = [
  { id: 12, holds: 4n },
  { id: 10, holds: 5n },
  { id: 11, holds: 3n },
]

it.each([
  ['all stand where there is enough for all', 12n, 12n, { 10: 'ON', 11: 'ON', 12: 'ON' }],
  ['the first ones stand where there is not', 8n, 12n, { 10: 'ON', 11: 'ON', 12: 'INACTIVE' }],
  [
    'a later one stands where one before asks too much',
    4n,
    12n,
    { 10: 'INACTIVE', 11: 'ON', 12: 'INACTIVE' },
  ],
  ['what else is promised comes first', 12n, 18n, { 10: 'ON', 11: 'INACTIVE', 12: 'INACTIVE' }],
  [
    'none stands where more than all is promised otherwise',
    5n,
    18n,
    { 10: 'INACTIVE', 11: 'INACTIVE', 12: 'INACTIVE' },
  ],
  ['none stands where nothing is left', 0n, 12n, { 10: 'INACTIVE', 11: 'INACTIVE', 12: 'INACTIVE' }],
] as const)('%s', (_, owned, held, states) => {
  expect(Object.fromEntries(standing(owned, held, listings))).toEqual(states)
})

it('a listing that holds nothing does not stand for an owner who has none', () => {
  expect(standing(0n, 0n, [{ id: 1, holds: 0n }]).get(1)).toBe('INACTIVE')
})
