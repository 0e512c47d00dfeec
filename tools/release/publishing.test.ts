import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { scratchFolder } from '../scratch-folder.ts'
import { packagesOf, readManifest, repositoryRoot } from '../workspace.ts'
import { readRelease } from './pack.ts'
import { preparePackages } from './prepare.ts'
import { createSbom } from './sbom.ts'

it('an SBOM has every package that a package needs, and those that they need', () => {
  const packages = {
    'packages/cards': {
      version: '0.1.0',
      name: '@mintmark/cards',
      dependencies: { envelope: '^1', ky: '^2' },
    },
    'packages/cards/node_modules/ky': { version: '2.0.0', dependencies: { deep: '^1' } },
    'packages/envelope': { version: '1.0.0', name: 'envelope', devDependencies: { ky: '^1' } },
    'node_modules/envelope': { resolved: 'packages/envelope', link: true },
    'node_modules/deep': { version: '1.2.3', license: 'MIT OR Apache-2.0', integrity: 'sha512-AAH/' },
    'node_modules/ky': { version: '1.0.0' },
  }
  const { metadata, components, dependencies } = createSbom(packages, 'packages/cards')
  const [cards, envelope] = ['pkg:npm/%40mintmark/cards@0.1.0', 'pkg:npm/envelope@1.0.0']
  const [ky, deep] = ['pkg:npm/ky@2.0.0', 'pkg:npm/deep@1.2.3']
  expect(metadata.component?.purl).toBe(cards)
  expect(components.map(({ purl }) => purl)).toEqual([envelope, ky, deep])
  expect(components[2]).toMatchObject({
    hashes: [{ alg: 'SHA-512', content: '0001ff' }],
    licenses: [{ expression: 'MIT OR Apache-2.0' }],
  })
  expect(dependencies).toEqual([
    { ref: cards, dependsOn: [envelope, ky] },
    { ref: envelope, dependsOn: [] },
    { ref: ky, dependsOn: [deep] },
    { ref: deep, dependsOn: [] },
  ])
})

it('every tarball has an SBOM with the version of each component, and a hash of those of others', () => {
  const { copy, packages } = readRelease()
  for (const { files, manifest } of packages) expect(files, manifest.name).toContain('dist/sbom.cdx.json')
  for (const { folder } of packagesOf(copy)) {
    const { components } = JSON.parse(readFileSync(join(folder, 'dist/sbom.cdx.json'), 'utf8'))
    for (const { purl, hashes } of components) {
      const isOurs = /^pkg:npm\/(?:%40mintmark\/|mintmark@)/.test(purl)
      expect(purl, folder).toMatch(/@\d+\.\d+\.\d+[^@]*$/)
      expect(hashes?.[0].content.length, purl).toBe(isOurs ? undefined : 128)
    }
  }
})

it('a tarball has links to the repository if it has an address, without which a release fails', () => {
  const manifest = { name: '@mintmark/cards', version: '0.1.0' }
  const createCheckout = (repository: string) =>
    scratchFolder({
      'package.json': { repository },
      'package-lock.json': { packages: {} },
      'packages/cards/package.json': manifest,
      'packages/cards/dist/index.js': '',
    })
  const readCards = (root: string) => readManifest(join(root, 'packages/cards/package.json'))
  using hidden = createCheckout('')
  preparePackages(hidden.root)
  expect(readCards(hidden.root)).toEqual(manifest)
  expect(() => preparePackages(hidden.root, { requiresAddress: true })).toThrow('Set "repository"')
  using open = createCheckout('https://forge.example/owner/mintmark')
  preparePackages(open.root, { requiresAddress: true })
  expect(readCards(open.root)).toMatchObject({
    repository: { url: 'git+https://forge.example/owner/mintmark.git', directory: 'packages/cards' },
    homepage: 'https://forge.example/owner/mintmark/tree/main/packages/cards#readme',
    bugs: 'https://forge.example/owner/mintmark/issues',
  })
})

it('the workflow of a release has no token, proves its identity, and calls scripts that exist', () => {
  const text = readFileSync(join(repositoryRoot, '.github/workflows/release.yml'), 'utf8')
  const { permissions, jobs } = parse(text)
  expect(text).not.toMatch(/secrets\.|_TOKEN/)
  // A tag can be moved to another commit.
  expect(text).not.toMatch(/uses: (?!\S+@[\da-f]{40}\s)/)
  expect({ permissions, ofTests: jobs.test.permissions }).toEqual({ permissions: { contents: 'read' } })
  expect(jobs.publish).toMatchObject({
    needs: 'test',
    permissions: { contents: 'write', 'id-token': 'write' },
    env: { NPM_CONFIG_PROVENANCE: 'true' },
  })
  const commands = jobs.publish.steps.flatMap(({ run = [] }) => run)
  expect(commands).toEqual(['npm run build', 'npm run release', 'git push --follow-tags'])
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['build', 'release']))
})
