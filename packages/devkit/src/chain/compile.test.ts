import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { artifactsFolder, compileContracts, compilePublished, publishedFile } from './compile.ts'

test('the committed artifacts equal the compiled contracts', async () => {
  const compiled = await compileContracts()
  const committed = new Map<string, string>()
  for (const file of await readdir(artifactsFolder)) {
    committed.set(file, await readFile(join(artifactsFolder, file), 'utf8'))
  }
  expect([...committed.keys()].sort()).toEqual([...compiled.keys()].sort())
  for (const [file, text] of compiled) {
    expect(
      committed.get(file) === text,
      `${file} is stale: run node packages/devkit/src/chain/compile.ts`,
    ).toBe(true)
  }
})

test('the committed contracts that programs deploy equal the compiled ones', async () => {
  expect(
    (await readFile(publishedFile, 'utf8')) === (await compilePublished()),
    'The contracts are stale: run node packages/devkit/src/chain/compile.ts',
  ).toBe(true)
})
