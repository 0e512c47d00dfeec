import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Manifest, packagesOf, readManifest } from '../workspace.ts'
import type { Problem } from './problem.ts'

interface Entry extends Partial<Manifest> {
  readonly resolved?: string
  readonly link?: boolean
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

/**
 * The lockfile names packages by version and integrity, never by the address they were fetched from: an address would tie
 * everybody to one registry. Workspace packages are links with a path. And it was written for the dependencies that the
 * package.json files declare now.
 */
export function checkLockfile(root: string): readonly Problem[] {
  const workspace = ['', ...packagesOf(root).map(({ folder }) => `packages/${basename(folder)}`)]
  const toolchains = 'tools/toolchains'
  return [
    ...check(root, '', workspace),
    ...(existsSync(join(root, toolchains)) ? check(root, toolchains, ['']) : []),
  ]
}

/** The lockfile of one folder, which was written for the package.json files of these folders below it. */
function check(root: string, folder: string, manifests: readonly string[]): readonly Problem[] {
  const file = join(folder, 'package-lock.json')
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(readFileSync(join(root, file), 'utf8'))
  const addresses = Object.entries(packages)
    .filter(
      ([, entry]) =>
        entry.resolved !== undefined && (entry.link !== true || /^[a-z+]+:/.test(entry.resolved)),
    )
    .map(
      ([path]) => `${path} records an address: set npm's omit-lockfile-registry-resolved and write it again`,
    )
  const outdated = manifests
    .filter((path) => {
      const manifest = readManifest(join(root, folder, path, 'package.json'))
      return DEPENDENCIES.some(
        (kind) => !isDeepStrictEqual({ ...packages[path]?.[kind] }, { ...manifest[kind] }),
      )
    })
    .map(
      (path) =>
        `was not written for ${join(folder, path, 'package.json')}: run npm install --package-lock-only${folder === '' ? '' : ` in ${folder}`}`,
    )
  return [...addresses, ...outdated].map((problem) => ({ file, text: problem }))
}
