import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { checkBoundaries } from './boundaries.ts'
import { describeProblem } from './problem.ts'

const entry = { '@mintmark/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' }
const manifest = (name: string, layer: string, dependencies: Record<string, string> = {}) => ({
  name: `@mintmark/${name}`,
  version: '1.0.0',
  exports: { '.': entry },
  dependencies,
  nx: { tags: [`layer:${layer}`] },
})
const any = '^1.0.0'

const sound = {
  'package.json': { name: 'mintmark', version: '1.0.0', devDependencies: { vitest: any } },
  'packages/envelope/package.json': manifest('envelope', 'core', { valibot: any }),
  'packages/envelope/src/index.ts': `import * as v from 'valibot'\nexport const text = v.string()\n`,
  'packages/transport/package.json': manifest('transport', 'core', { '@mintmark/envelope': any }),
  'packages/transport/src/index.ts': `export * from '@mintmark/envelope'\n`,
  'packages/cards/package.json': manifest('cards', 'domain', {
    '@mintmark/transport': any,
    '@mintmark/envelope': any,
  }),
  'packages/cards/src/index.ts': `import { readFile } from 'node:fs'\nexport { readFile }\nexport * from '@mintmark/transport'\nexport * from '#inside'\n`,
  'packages/wallet/package.json': manifest('wallet', 'domain', { '@mintmark/envelope': any }),
  'packages/wallet/src/index.ts': `export {}\n`,
  'packages/server-kit/package.json': manifest('server-kit', 'kit', { '@mintmark/envelope': any }),
  'packages/server-kit/src/index.ts': `export {}\n`,
  'packages/gateway-server/package.json': manifest('gateway-server', 'server', {
    '@mintmark/cards': any,
    '@mintmark/server-kit': any,
  }),
  'packages/gateway-server/src/index.ts': `export * from '@mintmark/cards'\nexport * from '@mintmark/server-kit'\n`,
}

function problemsWith(changes: Readonly<Record<string, string | object>>): readonly string[] {
  using repository = scratchFolder({ ...sound, ...changes })
  return checkBoundaries(repository.root).map(describeProblem)
}

describe('the boundaries between packages', () => {
  it('allow imports that go down', () => {
    expect(problemsWith({})).toEqual([])
  })

  it.each([
    ['up', 'cards', `import { a } from '@mintmark/server-kit'`, 'imports @mintmark/server-kit, which is up'],
    [
      'up by a type',
      'envelope',
      `import type { A } from '@mintmark/cards'`,
      'imports @mintmark/cards, which is up',
    ],
    ['up by import()', 'cards', `const a = import('@mintmark/gateway-server')`, 'which is up'],
    ['up by an import type', 'cards', `export type A = import('@mintmark/server-kit').A`, 'which is up'],
    [
      'sideways between domains',
      'cards',
      `export * from '@mintmark/wallet'`,
      'imports @mintmark/wallet, which is sideways',
    ],
    ['sideways by a subpath', 'cards', `export * from '@mintmark/wallet/wallet-info'`, 'which is sideways'],
    ['from the kit to a domain', 'server-kit', `export * from '@mintmark/cards'`, 'past the layers between'],
    ['from the core to transport', 'envelope', `export * from '@mintmark/transport'`, 'which is sideways'],
    [
      'to a package that is not declared',
      'wallet',
      `import ky from 'ky'`,
      'imports ky, which package.json does not declare',
    ],
    [
      'to a sibling that is not declared',
      'wallet',
      `export * from '@mintmark/transport'`,
      'does not declare',
    ],
    [
      'to what only the root declares',
      'wallet',
      `import { it } from 'vitest'`,
      'imports vitest, which package.json does not declare',
    ],
    [
      'out of the package',
      'wallet',
      `export * from '../../envelope/src/index.ts'`,
      'which leaves the package',
    ],
    ['to a Node module by its bare name', 'wallet', `import { readFile } from 'fs'`, 'write node:fs'],
  ])('refuse an import that goes %s', (_name, folder, line, problem) => {
    expect(problemsWith({ [`packages/${folder}/src/bad.ts`]: `export {}\n${line}\n` })).toEqual([
      expect.stringMatching(new RegExp(`^packages/${folder}/src/bad\\.ts:2: `)),
    ])
    expect(problemsWith({ [`packages/${folder}/src/bad.ts`]: line })).toEqual([
      expect.stringContaining(problem),
    ])
  })

  it('let a test use what the root declares, and the tools', () => {
    const lines = `import { it } from 'vitest'\nimport { startChain } from '../../../tools/devchain/chain.ts'\n`
    expect(problemsWith({ 'packages/wallet/src/index.test.ts': lines })).toEqual([])
    expect(problemsWith({ 'packages/wallet/src/index.ts': lines })).toHaveLength(2)
  })

  it('let what stands in a folder `testing` do the same, and keep the rest from using it', () => {
    const lines = `import { it } from 'vitest'\nexport { it }\n`
    const testing = { 'packages/wallet/src/testing/cases.ts': lines }
    expect(problemsWith(testing)).toEqual([])
    expect(
      problemsWith({ ...testing, 'packages/wallet/src/index.ts': `export * from './testing/cases.ts'\n` }),
    ).toEqual([expect.stringContaining('imports ./testing/cases.ts, which is not published')])
  })

  it('refuse a package whose layer is not named', () => {
    expect(
      problemsWith({ 'packages/wallet/package.json': { ...manifest('wallet', 'domain'), nx: { tags: [] } } }),
    ).toEqual([expect.stringContaining('name no layer')])
  })

  it('refuse a dependency that goes up, before anything imports it', () => {
    const upward = manifest('wallet', 'domain', { '@mintmark/server-kit': any })
    expect(problemsWith({ 'packages/wallet/package.json': upward })).toEqual([
      expect.stringContaining('depends on @mintmark/server-kit, which is up'),
    ])
  })

  it.each([
    [{ ...entry, '@mintmark/source': './src/gone.ts' }, './src/gone.ts does not exist'],
    [{ types: entry.types, default: entry.default }, 'its source is not named'],
    [{ ...entry, default: './dist/other.js' }, 'default should be ./dist/index.js'],
    [
      { types: entry.types, '@mintmark/source': entry['@mintmark/source'], default: entry.default },
      'in this order',
    ],
  ])('refuse exports that lead nowhere: %j', (targets, problem) => {
    const changed = { ...manifest('wallet', 'domain'), exports: { '.': targets } }
    expect(problemsWith({ 'packages/wallet/package.json': changed })).toEqual([
      expect.stringContaining(problem),
    ])
  })

  it('refuse a command without a source', () => {
    const changed = { ...manifest('wallet', 'domain'), bin: { mint: './dist/cli.js' } }
    expect(problemsWith({ 'packages/wallet/package.json': changed })).toEqual([
      expect.stringContaining('src/cli.ts'),
    ])
  })
})
