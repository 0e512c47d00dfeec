import { expect, it } from 'vitest'
import { ConfigurationError } from '../environment.ts'
import { createSealer, createSecretKey } from './seal.ts'

const place = { table: 'keys', project: 1, row: 2 }

const sealer = createSealer(createSecretKey())

it('a sealed secret opens in its own place, and differs each time it is sealed', () => {
  const sealed = sealer.seal('sk_ünïcode', place)
  expect(sealer.open(sealed, place)).toBe('sk_ünïcode')
  expect(Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64url').includes('sk_ünïcode')).toBe(false)
  expect(sealer.seal('sk_ünïcode', place)).not.toBe(sealed)
  expect(sealer.open(sealer.seal('', place), place)).toBe('')
})

it('a sealed secret does not open in another place', () => {
  const sealed = sealer.seal('sk', place)
  for (const other of [{ table: 'others' }, { project: 2 }, { row: 3 }, { row: '2\n' }]) {
    expect(() => sealer.open(sealed, { ...place, ...other })).toThrow(ConfigurationError)
  }
})

it('a sealed secret does not open when any byte was changed', () => {
  const sealed = sealer.seal('sk', place)
  const [id = '', text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => sealer.open(`${id}.${changed.toString('base64url')}`, place)).toThrow(/does not open/)
  }
  expect(() => sealer.open(`${id}.`, place)).toThrow(/does not open/)
})

it('a sealed secret opens with the key that its id names, and is sealed with the first key', () => {
  const [old, newer] = [createSecretKey('old'), createSecretKey('newer')]
  const sealed = createSealer(old).seal('sk', place)
  const both = createSealer(`${newer}, ${old}`)
  expect(both.open(sealed, place)).toBe('sk')
  expect(both.isCurrent(sealed)).toBe(false)
  expect(both.isCurrent(both.seal('sk', place))).toBe(true)
  expect(() => createSealer(newer).open(sealed, place)).toThrow('the key "old" is missing')
})

it.each([
  '',
  'k1',
  'k1:',
  'k1:short',
  `:${'A'.repeat(43)}=`,
  `k 1:${'A'.repeat(43)}=`,
  `${createSecretKey()},`,
])('SECRET_KEYS is rejected as "%s"', (setting) => {
  expect(() => createSealer(setting)).toThrow(ConfigurationError)
})

it('SECRET_KEYS does not appear in its error message, because it may be most of a key', () => {
  const almost = Buffer.alloc(31, 7).toString('base64')
  expect(() => createSealer(`k1:${almost}`)).toThrow(/^(?!.*BwcH).*SECRET_KEYS: expected id:key/)
})
