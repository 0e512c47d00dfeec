import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import type { Package } from '../workspace.ts'
import { changesOf, checkApi, writeApi } from './api.ts'
import { verdictsOf } from './compilers.ts'
import { findingsOf } from './dependencies.ts'
import { describeVerdict } from './verdict.ts'

const built = {
  'packages/prints/package.json': {
    name: '@mintmark/prints',
    version: '1.0.0',
    type: 'module',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './editions': { types: './dist/editions.d.ts', default: './dist/editions.js' },
      './package.json': './package.json',
    },
  },
  'packages/prints/dist/index.d.ts':
    "export * as editions from './editions.ts';\nexport type { Edition } from './editions.ts';\nexport declare const PAPER = \"cotton\";\n",
  'packages/prints/dist/editions.d.ts':
    "declare const fields: {\n    readonly size: number;\n};\n/** How many there are. */\nexport type Edition = typeof fields;\nexport declare function count(edition: Edition): number;\nexport { inner } from './inner.ts';\n",
  'packages/prints/dist/inner.d.ts':
    "import type { Edition } from './editions.ts';\nexport declare const inner: Edition;\n",
}

function packageIn(root: string): Package {
  const manifest = built['packages/prints/package.json']
  return { folder: `${root}/packages/prints`, manifest }
}

describe('an API report', () => {
  it('is written for each entry; the main one names the groups, which have their own', () => {
    // The package finds itself installed, as packages of the workspace do.
    const installed = Object.entries(built).map(([file, content]) => [
      file.replace('packages/prints', 'packages/prints/node_modules/@mintmark/prints'),
      content,
    ])
    using scratch = scratchFolder({ ...built, ...Object.fromEntries(installed) })
    const each = packageIn(scratch.root)
    const files = ['packages/prints/api/editions.api.md', 'packages/prints/api/index.api.md']
    expect(writeApi(scratch.root, [each])).toEqual(files)
    const [editions, index] = files.map((file) => readFileSync(join(scratch.root, file), 'utf8'))
    expect(index).toContain('# @mintmark/prints\n')
    expect(index).toContain("import * as editions from '@mintmark/prints/editions'")
    expect(index).toContain('export { editions }')
    expect(index).not.toContain('count')
    expect(editions).toContain('export function count(edition: Edition): number')
    // What a type is made of is seen though it is not exported, and what an entry is made of is not another entry's.
    expect(editions).toContain('const fields: {\n  readonly size: number\n}')
    expect(editions).toContain('export const inner: Edition')
    expect(editions).not.toContain(scratch.root)
    expect(editions).not.toContain('How many')
    expect(writeApi(scratch.root, [each])).toEqual([])
    expect(checkApi(scratch.root, [each])).toEqual([
      { package: '@mintmark/prints', gate: 'api', said: '2 reports', problems: [] },
    ])
  })

  it('that is not the committed one is told with its first change and how to accept it', () => {
    const before = new Map([
      ['a/index.api.md', 'one\ntwo\n'],
      ['a/gone.api.md', ''],
    ])
    const now = [
      { file: 'a/index.api.md', text: 'one\n2\n' },
      { file: 'a/new.api.md', text: '' },
    ]
    const problems = changesOf(before, now)
    expect(problems).toEqual([
      expect.stringContaining('a/index.api.md changes, from line 2 on\n- two\n+ 2\n'),
      expect.stringContaining('a/new.api.md is new'),
      expect.stringContaining('a/gone.api.md is of an entry that is gone'),
    ])
    for (const problem of problems) expect(problem).toContain('npm run gates -- --write')
    expect(changesOf(new Map([['a', 'one']]), [{ file: 'a', text: 'one' }])).toEqual([])
  })

  it('tells a change that only adds to the end, or takes from it', () => {
    const change = (before: string, text: string) =>
      changesOf(new Map([['a', before]]), [{ file: 'a', text }])[0]
    expect(change('one', 'one\ntwo')).toContain('from line 2 on\n- \n+ two')
    expect(change('one\ntwo', 'one')).toContain('from line 2 on\n- two\n+ ')
  })
})

describe('what knip finds', () => {
  it('is told in a line each', () => {
    const issues = [
      { file: 'packages/a/package.json', dependencies: [{ name: 'ky', line: 3 }], exports: [] },
      { file: 'packages/a/src/b.ts', files: [{ name: 'packages/a/src/b.ts' }] },
      {
        file: 'tools/c.ts',
        unlisted: [{ name: 'kysely', line: 1 }],
        duplicates: [[{ name: 'One', line: 2 }, { name: 'Two' }]],
      },
    ]
    expect(findingsOf({ issues }).map(({ text }) => text)).toEqual([
      'packages/a/package.json:3: ky is a dependency that nothing uses',
      'packages/a/src/b.ts is used by nothing',
      'tools/c.ts:1: kysely is used, and package.json does not declare it',
      'tools/c.ts:2: One and Two are the same export',
    ])
  })
})

describe('what a compiler refuses', () => {
  const each = (name: string): Package => ({
    folder: name,
    manifest: { name: `@mintmark/${name}`, version: '1.0.0' },
  })

  it('is told of the package whose declarations or type tests it is about, and otherwise of the repository', () => {
    const problems = [
      'TypeScript 7, nodenext: node_modules/@mintmark/cards/dist/a.d.ts(1,1): error TS1',
      'TypeScript 7, nodenext: wallet/src/wallet.test-d.ts(1,1): error TS2',
      'TypeScript 7, nodenext: the compiler failed and said nothing',
    ]
    const found = verdictsOf(['cards', 'wallet', 'market'].map(each), problems)
    expect(found.map((verdict) => [verdict.package, verdict.problems.length])).toEqual([
      ['@mintmark/cards', 1],
      ['@mintmark/wallet', 1],
      ['@mintmark/market', 0],
      ['repository', 1],
    ])
  })
})

it('a verdict is a line, with its problems below it', () => {
  const verdict = { package: '@mintmark/cards', gate: 'size', said: '14 operations' }
  expect(describeVerdict({ ...verdict, problems: [] })).toMatch(/^✓ @mintmark\/cards +size +14 operations$/)
  expect(describeVerdict({ ...verdict, problems: ['one\ntwo'] })).toMatch(/^✗ .*\n {4}one\n {4}two$/)
})
