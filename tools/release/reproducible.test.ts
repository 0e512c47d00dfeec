import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchCheckout } from '../new/scratch-checkout.ts'
import { run } from '../run.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { packRelease, type Release, readRelease } from './pack.ts'

const hashTarballs = ({ packages }: Release) =>
  packages.map(({ tarball }) => {
    const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex')
    return `${hash} ${basename(tarball)}`
  })

it('two builds of one commit at different paths make the same tarballs, byte for byte', {
  timeout: 900_000,
}, async () => {
  using checkout = scratchCheckout()
  using folder = scratchFolder({})
  await run(process.execPath, ['--conditions=@mintmark/source', 'tools/build/main.ts'], {
    cwd: checkout.root,
  })
  const reproduced = await packRelease(folder.root, checkout.root)
  expect(hashTarballs(reproduced)).toEqual(hashTarballs(readRelease()))
})

it('no published file contains the path of the checkout that built it', () => {
  const { copy, packages } = readRelease()
  // Both builds above have the same installed packages, whose paths would not differ.
  const leaks = packages.flatMap(({ manifest, files }) => {
    const folder = join(copy, 'packages', manifest.name.replace('@mintmark/', ''))
    return files
      .map((file) => join(folder, file))
      .filter((file) => readFileSync(file).includes(repositoryRoot))
  })
  expect(leaks).toEqual([])
})
