import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigurationError, readEnvironment } from './environment.ts'

const read = (value: string | undefined) => readEnvironment({ SETTING: value })

it('a setting of the environment counts as not set when it is empty', () => {
  for (const empty of ['', undefined]) {
    expect(read(empty).text('SETTING')).toBeUndefined()
  }
})

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'setting')

  it('a setting in a file is read without the line breaks at its end', () => {
    writeFileSync(path, ' 4100\r\n\n')
    expect(readEnvironment({ SETTING_FILE: path }).text('SETTING')).toBe(' 4100')
    writeFileSync(path, '4100\n')
    expect(readEnvironment({ SETTING: '', SETTING_FILE: path }).text('SETTING')).toBe('4100')
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
