import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { scratchFolder } from '../scratch-folder.ts'
import { packagesOf, readManifest, repositoryRoot } from '../workspace.ts'
import { readRelease } from './pack.ts'
import { findReleaseProblem, preparePackages } from './prepare.ts'

const lockfile = {
  packages: {
    '': {},
    'packages/cards': { license: 'MIT', dependencies: { '@mintmark/envelope': '^0.1.0', ky: '^2' } },
    'packages/cards/node_modules/ky': {
      version: '2.0.0',
      dependencies: { deep: '^1' },
      integrity: 'sha512-AAH/',
    },
    'packages/envelope': { devDependencies: { ky: '^1' } },
    'node_modules/@mintmark/envelope': { resolved: 'packages/envelope', link: true },
    'node_modules/deep': { version: '1.2.3', license: '(MIT OR Apache-2.0)' },
    'node_modules/ky': { version: '1.0.0' },
  },
}

/** A built checkout of two packages, whose repository has this address. */
const createCheckout = (repository: string) =>
  scratchFolder({
    'package.json': { repository },
    'package-lock.json': lockfile,
    'packages/cards/package.json': { name: '@mintmark/cards', version: '0.1.0' },
    'packages/cards/dist/index.js': '',
    'packages/envelope/package.json': { name: '@mintmark/envelope', version: '0.2.0' },
    'packages/envelope/dist/index.js': '',
  })

it('a tarball has an SBOM with every package that it needs, and those that they need', () => {
  using checkout = createCheckout('')
  preparePackages(checkout.root)
  const sbom = JSON.parse(readFileSync(join(checkout.root, 'packages/cards/dist/sbom.cdx.json'), 'utf8'))
  const cards = 'pkg:npm/%40mintmark/cards@0.1.0'
  const envelope = 'pkg:npm/%40mintmark/envelope@0.2.0'
  expect(sbom.metadata.component).toMatchObject({ purl: cards, licenses: [{ expression: 'MIT' }] })
  expect(sbom.components).toMatchObject([
    { purl: envelope },
    { purl: 'pkg:npm/ky@2.0.0', hashes: [{ alg: 'SHA-512', content: '0001ff' }] },
    { purl: 'pkg:npm/deep@1.2.3', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
  ])
  expect(sbom.dependencies).toEqual([
    { ref: cards, dependsOn: [envelope, 'pkg:npm/ky@2.0.0'] },
    { ref: envelope, dependsOn: [] },
    { ref: 'pkg:npm/ky@2.0.0', dependsOn: ['pkg:npm/deep@1.2.3'] },
    { ref: 'pkg:npm/deep@1.2.3', dependsOn: [] },
  ])
})

it('the SBOM of every packed package has a version of each component, and a hash of those of others', () => {
  const { copy, packages } = readRelease()
  for (const { folder } of packagesOf(copy)) {
    const { components } = JSON.parse(readFileSync(join(folder, 'dist/sbom.cdx.json'), 'utf8'))
    for (const { purl, hashes } of components) {
      expect(purl, folder).toMatch(/@\d+\.\d+\.\d+[^@]*$/)
      if (!/^pkg:npm\/(?:%40mintmark\/|mintmark@)/.test(purl))
        expect(hashes?.[0].content, purl).toMatch(/^[\da-f]{128}$/)
    }
  }
  for (const { files, manifest } of packages) expect(files, manifest.name).toContain('dist/sbom.cdx.json')
})

it('a tarball has links to the repository if its address is set, and none otherwise', () => {
  using hidden = createCheckout('')
  preparePackages(hidden.root)
  expect(readManifest(join(hidden.root, 'packages/cards/package.json'))).toEqual({
    name: '@mintmark/cards',
    version: '0.1.0',
  })
  using open = createCheckout('https://forge.example/owner/mintmark')
  expect(findReleaseProblem(open.root)).toBeUndefined()
  preparePackages(open.root)
  expect(readManifest(join(open.root, 'packages/cards/package.json'))).toEqual({
    name: '@mintmark/cards',
    version: '0.1.0',
    repository: {
      type: 'git',
      url: 'git+https://forge.example/owner/mintmark.git',
      directory: 'packages/cards',
    },
    homepage: 'https://forge.example/owner/mintmark/tree/main/packages/cards#readme',
    bugs: 'https://forge.example/owner/mintmark/issues',
  })
})

it.each(['', 'forge.example/owner', 'https://forge.example/'])(
  'a release fails with a sentence unless the repository has an address: %j',
  (repository) => {
    using checkout = createCheckout(repository)
    expect(findReleaseProblem(checkout.root)).toContain('Set "repository" in package.json')
  },
)

it('the workflow of a release has no token, proves its identity, and calls commands that exist', () => {
  const text = readFileSync(join(repositoryRoot, '.github/workflows/release.yml'), 'utf8')
  const { permissions, jobs } = parse(text)
  expect(text).not.toMatch(/secrets\.|_TOKEN/)
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.test.permissions).toBeUndefined()
  expect(jobs.publish).toMatchObject({
    needs: 'test',
    permissions: { contents: 'write', 'id-token': 'write' },
    env: { NPM_CONFIG_PROVENANCE: 'true' },
  })
  const steps: { run?: string; uses?: string }[] = [...jobs.test.steps, ...jobs.publish.steps]
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
  for (const { run = '', uses } of steps) {
    // A tag can be moved to another commit.
    if (uses !== undefined) expect(uses).toMatch(/@[\da-f]{40}$/)
    else if (run.startsWith('npm run ')) expect(scripts).toHaveProperty(run.slice('npm run '.length))
    else if (!run.startsWith('git ')) expect(existsSync(join(repositoryRoot, run)), run).toBe(true)
  }
  const commands = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? [])
  expect(commands).toEqual(['npm run build', 'npm run release', 'git push --follow-tags'])
})
