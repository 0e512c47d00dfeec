import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '../run.ts'
import { type Manifest, packagesOf, readManifest, repositoryRoot } from '../workspace.ts'
import { addChange, type Bump, changeset, commitCopy, pendingChanges, readRelease } from './pack.ts'

const SHARED_LAYERS: readonly string[] = ['layer:core', 'layer:vocabulary']
/** Whether several packages of an installation share this one. */
const isShared = ({ nx }: Manifest) => nx?.tags?.some((tag) => SHARED_LAYERS.includes(tag)) === true
const shared = new Set(
  packagesOf(repositoryRoot).flatMap(({ manifest }) => (isShared(manifest) ? manifest.name : [])),
)
const roundNumber = (name: string) => (shared.has(name) ? '1.0.0' : '0.1.0')

let folder: string
/**
 * A repository with round versions: shared packages at 1.0.0, all others at 0.1.0, with caret ranges between
 * them.
 */
let beginning: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-versions-'))
  beginning = join(folder, 'beginning')
  await run('git', ['clone', '--quiet', readRelease().copy, beginning], { cwd: folder })
  for (const { folder: each, manifest } of packagesOf(beginning)) {
    for (const content of ['src', 'dist']) rmSync(join(each, content), { recursive: true })
    const dependencies = Object.entries({ ...manifest.dependencies }).map(([name, range]) => [
      name,
      name === 'mintmark' || name.startsWith('@mintmark/') ? `^${roundNumber(name)}` : range,
    ])
    const round = {
      ...manifest,
      version: roundNumber(manifest.name),
      dependencies: Object.fromEntries(dependencies),
    }
    writeFileSync(join(each, 'package.json'), `${JSON.stringify(round, null, 2)}\n`)
  }
  await commitCopy(beginning, 'Round versions')
})
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 3 }))

async function cloneBeginning(): Promise<string> {
  const copy = mkdtempSync(join(folder, 'copy-'))
  await run('git', ['clone', '--quiet', beginning, copy], { cwd: folder })
  return copy
}

/** The packages whose version has changed since the beginning, without the scope. */
function releasedIn(copy: string): Record<string, string> {
  const changed = packagesOf(copy).filter(({ manifest }) => manifest.version !== roundNumber(manifest.name))
  return Object.fromEntries(
    changed.map(({ manifest }) => [manifest.name.replace('@mintmark/', ''), manifest.version]),
  )
}

async function releaseChange(bumps: Readonly<Record<string, Bump>>): Promise<string> {
  const copy = await cloneBeginning()
  addChange(copy, bumps)
  await changeset(copy, 'version')
  return copy
}

it('the next release uses all changesets and leaves shared packages at 1.0.0 or later', () => {
  const { copy, packages } = readRelease()
  expect(pendingChanges(copy)).toEqual([])
  // A caret range of 0.x ends at the next minor version.
  for (const { manifest } of packages.filter((each) => isShared(each.manifest)))
    expect(manifest.version, manifest.name).toMatch(/^[1-9]/)
})

const dependents = [
  'admin',
  'cards',
  'contracts',
  'events',
  'facilitator',
  'facilitator-server',
  'gateway-server',
  'market',
  'orders',
]
const everyDependent = Object.fromEntries(
  [...dependents, 'mcp', 'mintmark', 'seller', 'server-kit', 'wallet'].map((name) => [name, '0.1.1']),
)

it.each<[Bump, string, Record<string, string>]>([
  ['patch', 'cards', { cards: '0.1.1' }],
  ['minor', 'cards', { cards: '0.2.0', events: '0.1.1', 'gateway-server': '0.1.1', mintmark: '0.1.1' }],
  ['minor', 'transport', { transport: '1.1.0' }],
  ['major', 'transport', { transport: '2.0.0', mintmark: '0.1.1', sandbox: '0.1.1' }],
  ['minor', 'minting', { minting: '1.1.0' }],
  ['major', 'operation', { ...everyDependent, operation: '2.0.0', transport: '1.0.1' }],
])(
  'a %s release of %s changes the packages whose range it leaves, and no others',
  async (bump, name, expected) => {
    expect(releasedIn(await releaseChange({ [`@mintmark/${name}`]: bump }))).toEqual(expected)
  },
)

it('a release requires the new version of a package that is released together', async () => {
  const copy = await releaseChange({ '@mintmark/cards': 'patch', '@mintmark/gateway-server': 'patch' })
  const { dependencies } = readManifest(join(copy, 'packages/gateway-server/package.json'))
  expect(dependencies?.['@mintmark/cards']).toBe('^0.1.1')
})

it('a release leaves out a package that waits, when its dependents wait too', async () => {
  const copy = await cloneBeginning()
  addChange(copy, { '@mintmark/cards': 'patch' })
  addChange(copy, { '@mintmark/wallet': 'minor' })
  await changeset(
    copy,
    'version',
    '--ignore',
    '@mintmark/wallet',
    '--ignore',
    '@mintmark/events',
    '--ignore',
    '@mintmark/gateway-server',
    '--ignore',
    'mintmark',
    '--ignore',
    '@mintmark/sandbox',
    '--ignore',
    '@mintmark/mcp',
  )
  expect(releasedIn(copy)).toEqual({ cards: '0.1.1' })
  expect(pendingChanges(copy)).toEqual(['mintmarkwallet.md'])
})
