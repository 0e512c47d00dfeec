import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scratchCheckout } from '../new/scratch-checkout.ts'
import { run } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'
import { packRelease, type Release, readRelease } from './pack.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-reproduced-'))
})
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

const hashTarballs = ({ packages }: Release) =>
  packages.map(({ tarball }) => ({
    tarball: basename(tarball),
    sha256: createHash('sha256').update(readFileSync(tarball)).digest('hex'),
  }))

it('two builds of one commit at different paths make the same tarballs, byte for byte', {
  timeout: 900_000,
}, async () => {
  using checkout = scratchCheckout()
  await run(process.execPath, ['--conditions=@mintmark/source', 'tools/build/main.ts'], {
    cwd: checkout.root,
  })
  const reproduced = await packRelease(folder, checkout.root)
  expect(hashTarballs(reproduced)).toEqual(hashTarballs(readRelease()))
})

it('no published file contains the path of the checkout that built it', () => {
  const { copy, packages } = readRelease()
  // Both builds above have the same installed packages, whose paths would not differ.
  const leaks = packages.flatMap(({ manifest, files }) => {
    const at = join(copy, 'packages', manifest.name.replace('@mintmark/', ''))
    return files.map((file) => join(at, file)).filter((file) => readFileSync(file).includes(repositoryRoot))
  })
  expect(leaks).toEqual([])
})
