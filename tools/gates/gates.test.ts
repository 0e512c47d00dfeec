import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRelease } from '../release/pack.ts'
import { run } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'

const { packages } = readRelease()
const cases = packages.map((each) => ({ name: each.manifest.name, ...each }))
const cwd = repositoryRoot
/** The path of a command that this folder's lockfile brings. */
const binary = (name: string) => join(import.meta.dirname, 'node_modules/.bin', name)

it.each(cases)('every published package passes publint: $name', async ({ tarball }) => {
  expect(await run(binary('publint'), ['run', tarball], { cwd })).toContain('All good')
})

// The packages are ES modules. Since Node 22.12 `require` loads them too, with declarations for CommonJS, which
// the tool takes for a mistake (false-cjs). Resolution without `exports` is not supported.
it.each(cases)(
  'every published package has types that resolve in Node and in bundlers: $name',
  async ({ tarball }) => {
    const options = ['--profile=esm-only', '--ignore-rules=false-cjs', '--no-definitely-typed', '--no-color']
    await run(binary('attw'), [tarball, ...options, '--format=ascii'], { cwd })
  },
)

it.each(cases)(
  'every published package contains its license and README and none of its tests: $name',
  ({ files }) => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    expect(
      files.filter((file) => /\.test(?:-d)?\.|\.tsbuildinfo$|(?:^|\/)node_modules\//.test(file)),
    ).toEqual([])
  },
)

it.each(cases)(
  'every published package has a version and accepts compatible versions of our other packages: $name',
  ({ manifest }) => {
    expect(manifest.version, 'add a changeset').not.toBe('0.0.0')
    const ours = Object.entries({ ...manifest.dependencies }).filter(([name]) =>
      name.startsWith('@mintmark/'),
    )
    for (const [name, range] of ours) expect(range, name).toMatch(/^\^\d/)
  },
)
