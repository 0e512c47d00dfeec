import { expect, it } from 'vitest'
import { ConfigurationError, readEnvironment } from './environment.ts'
import {
  amount,
  choice,
  flag,
  integer,
  list,
  readSettings,
  type Setting,
  port as serverPort,
  text,
  url,
} from './settings.ts'

/** Reads one declared setting. */
const read = <Value>(setting: Setting<Value>, value: string | undefined) =>
  readSettings({ SETTING: setting }, readEnvironment({ SETTING: value })).SETTING

const port = integer('', { default: 1, max: 65_535 })
const wei = amount('', { default: 7n })
const letter = choice('', { choices: ['a', 'b'], default: 'b' })

it('a declared setting has its default when it is not set', () => {
  expect(read(port, undefined)).toBe(1)
  expect(read(integer('', { defaultText: 'none' }), '')).toBeUndefined()
  expect(read(wei, '')).toBe(7n)
  expect(read(flag(''), '')).toBe(false)
  expect(read(letter, '')).toBe('b')
  expect(read(list(''), '')).toEqual([])
  expect(read(url(''), '')).toBeUndefined()
  expect(read(text(''), '')).toBeUndefined()
  expect(read(text('', { default: 'shop' }), '')).toBe('shop')
})

it('a declared setting is parsed by its type', () => {
  expect(read(port, '4100')).toBe(4100)
  const large = '115792089237316195423570985008687907853269984665640564039457'
  expect(read(wei, large)).toBe(BigInt(large))
  expect(['true', '1', 'false', '0'].map((value) => read(flag(''), value))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(read(letter, 'a')).toBe('a')
  expect(read(list(''), ' a, b ,,c')).toEqual(['a', 'b', 'c'])
  expect(read(url(''), 'https://example.com/x')?.pathname).toBe('/x')
  expect(read(text('', { parse: (value = '') => value.length }), 'four')).toBe(4)
})

it.each([
  ['a word as a port', port, 'http', 'SETTING: expected an integer from 0 to 65535, received "http"'],
  ['a port above the maximum', port, '65536', 'from 0 to 65535, received "65536"'],
  ['a number below the minimum', integer('', { default: 1, min: 1 }), '0', 'expected an integer from 1'],
  ['a fraction', port, '1.5', 'received "1.5"'],
  ['a negative amount', wei, '-1', 'SETTING: expected decimal digits'],
  ['yes as a flag', flag(''), 'yes', 'SETTING: expected true or false, received "yes"'],
  ['an unknown choice', letter, 'c', 'expected one of a, b, received "c"'],
  ['a URL without a scheme', url(''), 'example.com', 'a URL that begins with http://'],
  ['a URL with another scheme', url(''), 'ftp://example.com', 'a URL that begins with http://'],
])(
  'a declared setting is rejected with its name and the expected value: %s',
  (_, setting, value, message) => {
    expect(() => read<unknown>(setting, value)).toThrow(ConfigurationError)
    expect(() => read<unknown>(setting, value)).toThrow(message)
  },
)

it('a declared setting is read only when it is used', () => {
  const env = readEnvironment({ PORT: 'http', NAME: 'shop' })
  const values = readSettings({ PORT: port, NAME: text('') }, env)
  expect(values.NAME).toBe('shop')
  expect(() => values.PORT).toThrow('PORT')
})

it('the port of a server is its own setting, else PORT', () => {
  const settings = { GATEWAY_PORT: serverPort('gateway', { default: 4000 }) }
  const readPort = (env: Record<string, string>) => readSettings(settings, readEnvironment(env)).GATEWAY_PORT
  expect(readPort({})).toBe(4000)
  expect(readPort({ PORT: '8080' })).toBe(8080)
  expect(readPort({ PORT: '8080', GATEWAY_PORT: '0' })).toBe(0)
  expect(() => readPort({ PORT: 'http' })).toThrow(
    'PORT: expected an integer from 0 to 65535, received "http"',
  )
})
