import { expect, it } from 'vitest'
import { shortenIdentifier } from './identifier.ts'

it.each([
  ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', '0x7099…79c8'],
  ['mk_ZczHFabcdefgPVg', 'mk_ZczHF…gPVg'],
  ['short', 'short'],
  ['', ''],
])('shortens %j to what people compare', (text, short) => {
  expect(shortenIdentifier(text)).toBe(short)
})
