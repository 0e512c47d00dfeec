import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Packed, pack, packAll } from '../release/pack.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { checkApi } from './api.ts'
import { checkCompilers, compile } from './compilers.ts'
import { type Consumer, consumerOf } from './consumer.ts'
import { checkDependencies } from './dependencies.ts'
import { checkTypesOf, lintTarball } from './tarballs.ts'
import { describeVerdict, type Verdict } from './verdict.ts'

// What has to be packed, installed and compiled takes minutes on a busy machine.
const PATIENCE = 600_000

const packages = packagesOf(repositoryRoot)
const names = packages.map(({ manifest }) => manifest.name)
const folder = join(tmpdir(), `mintmark-gates-test-${process.pid}`)
let packed: readonly Packed[]

beforeAll(() => {
  mkdirSync(folder)
  packed = packAll(folder)
}, PATIENCE)
afterAll(() => rmSync(folder, { recursive: true }))

/** Every package was looked at, and none has a problem. */
function expectPassed(verdicts: readonly Verdict[]): void {
  const failed = verdicts.filter(({ problems }) => problems.length > 0).map(describeVerdict)
  expect(failed.join('\n')).toBe('')
  expect(verdicts.map((verdict) => verdict.package)).toEqual(expect.arrayContaining(names))
}

describe('every published package', () => {
  it('is packed as publint has it, without a suggestion', async () => {
    expectPassed(await Promise.all(packed.map(lintTarball)))
  })

  it('has types that resolve for ESM in Node and for bundlers', async () => {
    expectPassed(await Promise.all(packed.map(checkTypesOf)))
  })

  it('exports what its committed reports say', { timeout: PATIENCE }, () => {
    expectPassed(checkApi(repositoryRoot, packages))
  })

  it('declares what it uses, and uses what it declares', { timeout: PATIENCE }, () => {
    expectPassed(checkDependencies(repositoryRoot))
  })
})

describe('a package that names what it does not hold', () => {
  const manifest = {
    name: '@mintmark/bad',
    version: '1.0.0',
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './other': './other.js' },
  }
  let bad: Packed
  beforeAll(() => {
    using root = scratchFolder({
      'packages/bad/package.json': manifest,
      'packages/bad/index.js': 'export const a = 1\n',
      'packages/bad/other.js': 'export const b = 1\n',
      'packages/bad/other.d.ts': 'export = 1\n',
    })
    const [one] = pack(packagesOf(root.root), join(folder, 'bad'))
    if (one === undefined) throw new Error('nothing was packed')
    bad = one
  }, PATIENCE)

  it('does not pass publint', async () => {
    expect((await lintTarball(bad)).problems).toContainEqual(expect.stringContaining('FILE_DOES_NOT_EXIST'))
  })

  it('does not pass for types', async () => {
    expect((await checkTypesOf(bad)).problems).not.toEqual([])
  })
})

describe('a program that uses the packed tarballs', () => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await consumerOf(packages, packed)
  }, PATIENCE)
  afterAll(() => consumer?.[Symbol.dispose]())

  it('compiles with the last two versions of TypeScript', { timeout: PATIENCE }, async () => {
    expect(consumer.clients.length).toBeGreaterThan(5)
    expectPassed(await checkCompilers(consumer))
  })

  it.each(['typescript-6', 'typescript-7'] as const)(
    'is refused by %s where it is wrong',
    { timeout: PATIENCE },
    async (compiler) => {
      const file = consumer.write(
        'wrong.ts',
        `import { promoCodeCards } from '@mintmark/cards'\npromoCodeCards.gte\n`,
      )
      const asked = { compiler, way: 'nodenext', files: [file], types: [], ownAlone: false } as const
      expect(await compile(consumer.folder, asked)).toEqual([
        expect.stringContaining('wrong.ts(2,16): error TS2339'),
      ])
    },
  )
})
