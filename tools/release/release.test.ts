import { describe, expect, it } from 'vitest'
import type { Manifest } from '../workspace.ts'
import { type Packed, problemsOfTarball } from './pack.ts'
import { closure, programsFor, scratchProjects } from './scratch.ts'

function packed(manifest: Partial<Manifest> & { name: string }, files: readonly string[] = []): Packed {
  return { manifest: { version: '1.0.0', ...manifest }, tarball: `${manifest.name}.tgz`, files }
}

describe('a tarball', () => {
  const exports = {
    '.': { '@mintmark/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  }
  const files = ['src/index.ts', 'dist/index.d.ts', 'dist/index.js', 'package.json']

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

  it('has a version, and asks for our packages by caret ranges', () => {
    expect(problemsOfTarball(packed({ name: 'a', version: '0.0.0' }))).toEqual([
      expect.stringContaining('changeset'),
    ])
    const pinned = packed({ name: 'a', dependencies: { '@mintmark/envelope': '1.0.0', ky: '2.1.0' } })
    expect(problemsOfTarball(pinned)).toEqual([expect.stringContaining('@mintmark/envelope 1.0.0')])
  })
})

describe('scratch projects', () => {
  const all = [
    packed({ name: '@mintmark/envelope', nx: { tags: ['layer:core'] } }),
    packed({
      name: '@mintmark/transport',
      dependencies: { '@mintmark/envelope': '^1.0.0', ky: '^2.0.0' },
      nx: { tags: ['layer:core'] },
    }),
    packed({
      name: '@mintmark/cards',
      dependencies: { '@mintmark/envelope': '^1.0.0' },
      nx: { tags: ['layer:domain'] },
    }),
    packed({
      name: '@mintmark/gateway-server',
      dependencies: { '@mintmark/cards': '^0.1.0' },
      nx: { tags: ['layer:server'] },
    }),
  ]

  it('try each domain and each server by itself, and the clients together', () => {
    expect(scratchProjects(all)).toEqual([
      { name: 'cards', wanted: ['@mintmark/transport', '@mintmark/cards'] },
      { name: 'all-clients', wanted: ['@mintmark/envelope', '@mintmark/transport', '@mintmark/cards'] },
      { name: 'gateway-server', wanted: ['@mintmark/gateway-server'] },
    ])
  })

  it('install what is wanted and what that depends on, and no more', () => {
    const names = (wanted: string) => closure([wanted], all).map(({ manifest }) => manifest.name)
    expect(names('@mintmark/transport')).toEqual(['@mintmark/envelope', '@mintmark/transport'])
    expect(names('@mintmark/gateway-server')).toEqual([
      '@mintmark/envelope',
      '@mintmark/cards',
      '@mintmark/gateway-server',
    ])
  })

  it('load every entry of the wanted packages', () => {
    const targets = { '@mintmark/source': './src/a.ts', types: './dist/a.d.ts', default: './dist/a.js' }
    const exports = { '.': targets, './event-cards': targets, './package.json': './package.json' }
    const programs = programsFor(['@mintmark/cards'], [packed({ name: '@mintmark/cards', exports })])
    expect(Object.keys(programs)).toEqual(['entries.ts', 'read-card.ts'])
    expect(programs['entries.ts']).toContain(`from '@mintmark/cards'`)
    expect(programs['entries.ts']).toContain(`from '@mintmark/cards/event-cards'`)
    expect(programs['entries.ts']).not.toContain('package.json')
  })
})
