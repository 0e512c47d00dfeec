import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layerOf } from '../check/layers.ts'
import { type Manifest, packagesOf, readManifest, repositoryRoot } from '../workspace.ts'
import { commitCopy, copyForRelease } from './copy.ts'
import { run } from './run.ts'
import { addChange, type Bump, changeset, versionsOf, waitingChanges, writeVersions } from './versions.ts'

let folder: string
/** The checkout after its next release. */
let released: string
/** The same with round numbers: core packages at 1.0.0, all others at 0.1.0, each asking for the others by a caret range. */
let beginning: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-versions-'))
  released = join(folder, 'released')
  copyForRelease(repositoryRoot, released, { content: false })
  writeVersions(released)
  commitCopy(released, 'Released')
  beginning = join(folder, 'beginning')
  run('git', ['clone', '--quiet', released, beginning], folder)
  for (const each of packagesOf(beginning)) writeRoundNumbers(join(each.folder, 'package.json'))
  commitCopy(beginning, 'Round numbers')
})
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

const core = new Set(
  packagesOf(repositoryRoot)
    .filter(({ manifest }) => layerOf(manifest) === 'core')
    .map(({ manifest }) => manifest.name),
)
const roundNumber = (name: string) => (core.has(name) ? '1.0.0' : '0.1.0')

function writeRoundNumbers(file: string): void {
  const manifest = readManifest(file)
  const dependencies = Object.entries({ ...manifest.dependencies }).map(([name, range]) => [
    name,
    name.startsWith('@mintmark/') ? `^${roundNumber(name)}` : range,
  ])
  const version = roundNumber(manifest.name)
  const round: Manifest = { ...manifest, version, dependencies: Object.fromEntries(dependencies) }
  writeFileSync(file, `${JSON.stringify(round, null, 2)}\n`)
}

/** A copy of the beginning in which a change has been released. */
function afterReleaseOf(bumps: Readonly<Record<string, Bump>>): string {
  const copy = mkdtempSync(join(folder, 'after-'))
  run('git', ['clone', '--quiet', beginning, copy], folder)
  addChange(copy, bumps)
  changeset(copy, 'version')
  return copy
}

/** The packages that have another version than in the beginning, without the scope. */
function releasedIn(copy: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(versionsOf(copy))
      .filter(([name, version]) => version !== roundNumber(name))
      .map(([name, version]) => [name.replace('@mintmark/', ''), version]),
  )
}

describe('the next release', () => {
  it('uses up the changes that wait', () => {
    expect(waitingChanges(released)).toEqual([])
  })

  it('leaves no package at 0.0.0, and core packages at 1.0.0 at least: a caret range of 0.x ends at the next minor', () => {
    for (const [name, version] of Object.entries(versionsOf(released)))
      expect([name, version]).toEqual([
        name,
        expect.stringMatching(core.has(name) ? /^[1-9]/ : /^(?!0\.0\.0)/),
      ])
  })

  it('can be written again when nothing waits: that changes nothing', () => {
    const before = versionsOf(released)
    writeVersions(released)
    expect(versionsOf(released)).toEqual(before)
  })
})

const everyDependent = {
  cards: '0.1.1',
  contracts: '0.1.1',
  facilitator: '0.1.1',
  'facilitator-server': '0.1.1',
  'gateway-server': '0.1.1',
  market: '0.1.1',
  orders: '0.1.1',
  'server-kit': '0.1.1',
  wallet: '0.1.1',
}

describe('a change is released alone, or with those whose range it leaves:', () => {
  it.each<[Bump, string, Record<string, string>]>([
    ['patch', 'cards', { cards: '0.1.1' }],
    ['minor', 'cards', { cards: '0.2.0', 'gateway-server': '0.1.1' }],
    ['major', 'cards', { cards: '1.0.0', 'gateway-server': '0.1.1' }],
    ['minor', 'facilitator', { facilitator: '0.2.0', 'facilitator-server': '0.1.1' }],
    ['minor', 'gateway-server', { 'gateway-server': '0.2.0' }],
    [
      'minor',
      'server-kit',
      { 'server-kit': '0.2.0', 'gateway-server': '0.1.1', 'facilitator-server': '0.1.1' },
    ],
    ['patch', 'transport', { transport: '1.0.1' }],
    ['minor', 'transport', { transport: '1.1.0' }],
    ['minor', 'envelope', { envelope: '1.1.0' }],
    ['major', 'transport', { ...everyDependent, transport: '2.0.0' }],
  ])('a %s of %s', (bump, name, expected) => {
    expect(releasedIn(afterReleaseOf({ [`@mintmark/${name}`]: bump }))).toEqual(expected)
  })

  it('a patch of cards writes to no file but those of cards', () => {
    const copy = afterReleaseOf({ '@mintmark/cards': 'patch' })
    run('git', ['add', '--all'], copy)
    expect(run('git', ['diff', '--cached', '--name-only'], copy).trim().split('\n')).toEqual([
      'packages/cards/CHANGELOG.md',
      'packages/cards/package.json',
    ])
  })

  it('what is released together asks for each other as released: it was tried so', () => {
    const copy = afterReleaseOf({ '@mintmark/cards': 'patch', '@mintmark/gateway-server': 'patch' })
    const asked = (name: string) =>
      readManifest(join(copy, 'packages', name, 'package.json')).dependencies?.['@mintmark/cards']
    expect(releasedIn(copy)).toEqual({ cards: '0.1.1', 'gateway-server': '0.1.1' })
    expect(asked('gateway-server')).toBe('^0.1.1')
  })

  it('a change of two domains releases both, and each dependent once', () => {
    const copy = afterReleaseOf({ '@mintmark/cards': 'minor', '@mintmark/orders': 'minor' })
    expect(releasedIn(copy)).toEqual({ cards: '0.2.0', orders: '0.2.0', 'gateway-server': '0.1.1' })
  })

  it('a domain is released while another waits: who is to wait is named, with those that depend on it', () => {
    const copy = mkdtempSync(join(folder, 'waiting-'))
    run('git', ['clone', '--quiet', beginning, copy], folder)
    addChange(copy, { '@mintmark/cards': 'patch' })
    addChange(copy, { '@mintmark/wallet': 'minor' })
    const waiting = ['--ignore', '@mintmark/wallet', '--ignore', '@mintmark/gateway-server']
    changeset(copy, 'version', ...waiting)
    expect(releasedIn(copy)).toEqual({ cards: '0.1.1' })
    expect(waitingChanges(copy)).toEqual(['mintmarkwallet'])
    writeVersions(copy)
    expect(releasedIn(copy)).toEqual({ cards: '0.1.1', wallet: '0.2.0', 'gateway-server': '0.1.1' })
  })
})
