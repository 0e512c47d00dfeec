import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSealer } from '@mintmark/server-kit'
import { expect, test } from 'vitest'
import { readDevelopmentKeys } from './development-keys.ts'

test('creates the development keys once, readable only by its owner', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'mintmark-keys-')), 'data')
  const created = await Promise.all(Array.from({ length: 5 }, () => readDevelopmentKeys(folder)))
  expect(new Set(created).size).toBe(1)
  expect(await readDevelopmentKeys(folder)).toBe(created[0])
  const file = join(folder, 'secret-keys')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readFile(file, 'utf8')).trim()).toBe(created[0])
  createSealer(created[0] ?? '')
})
