import { describe, expect, it } from 'vitest'
import type { Manifest } from '../workspace.ts'
import { ownProblems } from './compile.ts'
import { type Packed, problemsOfTarball } from './pack.ts'
import { entriesOf, surprises } from './projects.ts'
import { run, runAside } from './run.ts'

function packed(manifest: Partial<Manifest> & { name: string }, files: readonly string[] = []): Packed {
  const always = ['LICENSE', 'README.md', 'package.json']
  return {
    manifest: { version: '1.0.0', ...manifest },
    tarball: `${manifest.name}.tgz`,
    files: [...always, ...files],
  }
}

describe('a tarball', () => {
  const exports = {
    '.': { '@mintmark/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  }
  const files = ['src/index.ts', 'dist/index.d.ts', 'dist/index.js']

  it('holds what its exports and commands name', () => {
    expect(problemsOfTarball(packed({ name: 'a', exports }, files))).toEqual([])
    expect(problemsOfTarball(packed({ name: 'a', exports }, files.slice(1)))).toEqual([
      'a names src/index.ts, which is not packed',
    ])
    expect(problemsOfTarball(packed({ name: 'a', bin: { mint: './dist/cli.js' } }))).toEqual([
      'a names dist/cli.js, which is not packed',
    ])
  })

  it.each([
    'src/a.test.ts',
    'src/a.test-d.ts',
    'dist/a.test.js',
    'dist/.tsbuildinfo',
    'node_modules/ky/index.js',
  ])('does not hold %s', (file) => {
    expect(problemsOfTarball(packed({ name: 'a' }, [file]))).toEqual([`a packs ${file}`])
  })

  it('carries the licence and says what it holds', () => {
    expect(problemsOfTarball({ ...packed({ name: 'a' }), files: ['package.json'] })).toEqual([
      'a packs no LICENSE',
      'a packs no README.md',
    ])
  })

  it('has a version, and asks for our packages by caret ranges', () => {
    expect(problemsOfTarball(packed({ name: 'a', version: '0.0.0' }))).toEqual([
      expect.stringContaining('changeset'),
    ])
    const pinned = packed({ name: 'a', dependencies: { '@mintmark/envelope': '1.0.0', ky: '2.1.0' } })
    expect(problemsOfTarball(pinned)).toEqual([expect.stringContaining('@mintmark/envelope 1.0.0')])
  })
})

describe('the entries of a package', () => {
  it('are its modules, by the paths that programs import', () => {
    const targets = { '@mintmark/source': './src/a.ts', types: './dist/a.d.ts', default: './dist/a.js' }
    const exports = { '.': targets, './event-cards': targets, './package.json': './package.json' }
    const all = [packed({ name: '@mintmark/cards', exports }), packed({ name: '@mintmark/orders', exports })]
    expect(entriesOf(['@mintmark/cards@0.1.0'], all)).toEqual([
      '@mintmark/cards',
      '@mintmark/cards/event-cards',
    ])
  })
})

describe('a project', () => {
  const project = { name: 'cards', wanted: [], installed: ['@mintmark/cards', 'ky'] }
  const at = (path: string) => ({ name: path, version: '1.0.0', path: `node_modules/${path}` })

  it('has what it is known to install, and no second copy of it', () => {
    expect(surprises(project, [at('@mintmark/cards'), at('ky')])).toEqual([])
    expect(
      surprises(project, [at('@mintmark/cards'), at('hono'), at('@mintmark/cards/node_modules/ky')]),
    ).toEqual([
      'cards: node_modules/hono came along',
      'cards: node_modules/@mintmark/cards/node_modules/ky came along',
      'cards: node_modules/ky is not there',
    ])
  })
})

describe("a compiler's problems", () => {
  const ours =
    'node_modules/@mintmark/cards/dist/index.d.ts(1,2): error TS1: This is wrong.\n  It is explained.'
  const own = 'program.ts(3,4): error TS2: So is this.'
  const foreign = 'node_modules/pg-boss/dist/types.d.ts(5,6): error TS3: They left it so.\n  They know.'

  it('are those of the program and of our declarations; others are not ours', () => {
    expect(ownProblems(`${ours}\n${foreign}\n${own}\n`)).toEqual([ours, own])
    expect(ownProblems(`${foreign}\n`)).toEqual([])
    expect(ownProblems('')).toEqual([])
  })
})

describe('a command that fails', () => {
  const failing = ['-e', 'console.log("said"); console.error("complained"); process.exit(3)']

  it('is named, with where it ran, how it ended and all that it printed', async () => {
    const told = /-e console\.log.*\n\(in .*\) ended with status 3:\nsaid\ncomplained/
    expect(() => run(process.execPath, failing, import.meta.dirname)).toThrow(told)
    await expect(runAside(process.execPath, failing, import.meta.dirname)).rejects.toThrow(told)
  })
})
