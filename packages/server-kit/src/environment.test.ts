import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigurationError, readEnvironment } from './environment.ts'

const read = (value: string | undefined) => readEnvironment({ SETTING: value })

it('a setting of the environment counts as not set when it is empty', () => {
  for (const empty of ['', undefined]) {
    expect(read(empty).text('SETTING')).toBeUndefined()
    expect(read(empty).integer('SETTING', 7)).toBe(7)
    expect(read(empty).amount('SETTING', 7n)).toBe(7n)
    expect(read(empty).flag('SETTING', true)).toBe(true)
    expect(read(empty).choice('SETTING', ['a', 'b'], 'b')).toBe('b')
    expect(read(empty).list('SETTING')).toEqual([])
    expect(read(empty).url('SETTING')).toBeUndefined()
  }
})

it('a setting of the environment is parsed by its type', () => {
  expect(read('4100').integer('SETTING', 0, 1, 65_535)).toBe(4100)
  expect(read('115792089237316195423570985008687907853269984665640564039457').amount('SETTING', 0n)).toBe(
    115792089237316195423570985008687907853269984665640564039457n,
  )
  expect(['true', '1', 'false', '0'].map((text) => read(text).flag('SETTING', false))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(read('a').choice('SETTING', ['a', 'b'], 'b')).toBe('a')
  expect(read(' a, b ,,c').list('SETTING')).toEqual(['a', 'b', 'c'])
  expect(read('https://example.com/x').url('SETTING')?.pathname).toBe('/x')
})

it.each([
  ['a word as a port', () => read('http').integer('SETTING', 1), 'SETTING: expected an integer from 0'],
  [
    'a port above the maximum',
    () => read('65536').integer('SETTING', 1, 0, 65_535),
    'from 0 to 65535, received "65536"',
  ],
  ['a number below the minimum', () => read('0').integer('SETTING', 1, 1), 'expected an integer from 1'],
  ['a fraction', () => read('1.5').integer('SETTING', 1), 'received "1.5"'],
  ['a negative amount', () => read('-1').amount('SETTING', 1n), 'SETTING: expected decimal digits'],
  [
    'yes as a flag',
    () => read('yes').flag('SETTING', false),
    'SETTING: expected true or false, received "yes"',
  ],
  [
    'an unknown choice',
    () => read('c').choice('SETTING', ['a', 'b'], 'a'),
    'expected one of a, b, received "c"',
  ],
  ['a URL without a scheme', () => read('example.com').url('SETTING'), 'a URL that begins with http://'],
  [
    'a URL with another scheme',
    () => read('ftp://example.com').url('SETTING'),
    'a URL that begins with http://',
  ],
])(
  'a setting of the environment is rejected with its name and the expected value: %s',
  (_, readInvalid, message) => {
    expect(readInvalid).toThrow(ConfigurationError)
    expect(readInvalid).toThrow(message)
  },
)

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'setting')

  it('a setting in a file is read without the line breaks at its end', () => {
    writeFileSync(path, ' 4100\r\n\n')
    expect(readEnvironment({ SETTING_FILE: path }).text('SETTING')).toBe(' 4100')
    writeFileSync(path, '4100\n')
    expect(readEnvironment({ SETTING: '', SETTING_FILE: path }).integer('SETTING', 1)).toBe(4100)
  })

  it('a setting in a file counts as not set when the file is empty', () => {
    writeFileSync(path, '\n')
    expect(readEnvironment({ SETTING_FILE: path }).text('SETTING')).toBeUndefined()
  })

  it('a setting in a file is rejected when the setting is given both ways', () => {
    writeFileSync(path, '1')
    expect(() => readEnvironment({ SETTING: '1', SETTING_FILE: path }).text('SETTING')).toThrow(
      new ConfigurationError('SETTING and SETTING_FILE are both set. Remove one'),
    )
  })

  it('a setting in a file is rejected with the path when the file cannot be read', () => {
    const missing = join(folder, 'missing')
    expect(() => readEnvironment({ SETTING_FILE: missing }).text('SETTING')).toThrow(
      `SETTING_FILE: the file ${missing} cannot be read (ENOENT)`,
    )
  })
})
