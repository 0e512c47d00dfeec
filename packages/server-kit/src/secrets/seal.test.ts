import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../process/environment.ts'
import { developmentSecretKeys } from './development-keys.ts'
import { createSealer, newSecretKey } from './seal.ts'

const place = { table: 'keys', project: 1, row: 2 }

describe('a sealed text', () => {
  const sealer = createSealer(newSecretKey())

  it('opens where it was sealed, and is another each time', () => {
    const sealed = sealer.seal('sk_ünïcode', place)
    expect(sealer.open(sealed, place)).toBe('sk_ünïcode')
    expect(sealed).not.toContain('sk_')
    expect(sealer.seal('sk_ünïcode', place)).not.toBe(sealed)
    expect(sealer.open(sealer.seal('', place), place)).toBe('')
  })

  it('opens nowhere else', () => {
    const sealed = sealer.seal('sk', place)
    for (const other of [{ table: 'others' }, { project: 2 }, { row: 3 }, { row: '2\n' }]) {
      expect(() => sealer.open(sealed, { ...place, ...other })).toThrow(ConfigurationError)
    }
  })

  it('does not open once a bit of it was changed', () => {
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

  it('opens under whichever key its id names, and is sealed under the first', () => {
    const [old, fresh] = [newSecretKey('old'), newSecretKey('fresh')]
    const sealed = createSealer(old).seal('sk', place)
    const both = createSealer(`${fresh}, ${old}`)
    expect(both.open(sealed, place)).toBe('sk')
    expect(both.isCurrent(sealed)).toBe(false)
    expect(both.isCurrent(both.seal('sk', place))).toBe(true)
    expect(() => createSealer(fresh).open(sealed, place)).toThrow('the key "old" is missing')
  })
})

describe('SECRET_KEYS', () => {
  it.each([
    '',
    'k1',
    'k1:',
    'k1:short',
    `:${'A'.repeat(43)}=`,
    `k 1:${'A'.repeat(43)}=`,
    `${newSecretKey()},`,
  ])('cannot be "%s"', (setting) => {
    expect(() => createSealer(setting)).toThrow(ConfigurationError)
  })

  it('do not repeat what is wrong with them: it may be most of a key', () => {
    const almost = Buffer.alloc(31, 7).toString('base64')
    expect(() => createSealer(`k1:${almost}`)).toThrow(/^(?!.*BwcH).*SECRET_KEYS: expected id:key/)
  })

  it('of a machine without them are made once, for its owner alone', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'mintmark-keys-')), 'data')
    const made = await Promise.all(Array.from({ length: 5 }, () => developmentSecretKeys(folder)))
    expect(new Set(made).size).toBe(1)
    expect(await developmentSecretKeys(folder)).toBe(made[0])
    const file = join(folder, 'secret-keys')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim()).toBe(made[0])
    createSealer(made[0] ?? '')
  })
})
