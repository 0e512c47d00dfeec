import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { checkLockfile } from './lockfile.ts'

const dependencies = { ky: '^2.0.0' }
const declared = {
  'package.json': { name: 'mintmark', version: '1.0.0' },
  'packages/a/package.json': { name: '@mintmark/a', version: '1.0.0', dependencies },
}
const link = { resolved: 'packages/a', link: true }

function problemsOf(packages: object): readonly string[] {
  using repository = scratchFolder({ ...declared, 'package-lock.json': { packages } })
  return checkLockfile(repository.root).map(({ text }) => text)
}

describe('the lockfile', () => {
  it('may link the packages of the workspace', () => {
    expect(problemsOf({ '': {}, 'packages/a': { dependencies }, 'node_modules/@mintmark/a': link })).toEqual(
      [],
    )
  })

  it.each([
    { resolved: 'https://example.test/ky.tgz' },
    { resolved: 'git+ssh://example.test/ky', link: true },
    { resolved: 'ky.tgz' },
  ])('records no address: %j', (entry) => {
    expect(problemsOf({ '': {}, 'packages/a': { dependencies }, 'node_modules/ky': entry })).toEqual([
      expect.stringContaining('node_modules/ky records an address'),
    ])
  })

  it('is the one for the dependencies that packages declare', () => {
    const problem = expect.stringContaining('was not written for packages/a/package.json')
    expect(problemsOf({ '': {}, 'packages/a': { dependencies: { ky: '^1.0.0' } } })).toEqual([problem])
    expect(problemsOf({ '': {}, 'packages/a': {} })).toEqual([problem])
    expect(problemsOf({ '': {} })).toEqual([problem])
  })

  it('of the toolchains is held to the same', () => {
    const other = {
      'package.json': { dependencies: { bun: '^1.0.0' } },
      'package-lock.json': {
        packages: { '': {}, 'node_modules/bun': { resolved: 'https://example.test/bun.tgz' } },
      },
    }
    using repository = scratchFolder({
      ...declared,
      'package-lock.json': { packages: { '': {}, 'packages/a': { dependencies } } },
      'tools/toolchains/package.json': other['package.json'],
      'tools/toolchains/package-lock.json': other['package-lock.json'],
    })
    expect(checkLockfile(repository.root)).toEqual([
      {
        file: 'tools/toolchains/package-lock.json',
        text: expect.stringContaining('node_modules/bun records an address'),
      },
      {
        file: 'tools/toolchains/package-lock.json',
        text: expect.stringContaining('run npm install --package-lock-only in tools/toolchains'),
      },
    ])
  })
})
