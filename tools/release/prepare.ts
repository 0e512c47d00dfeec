import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, readManifest, shortName } from '../workspace.ts'
import { createSbom, type LockedPackages } from './sbom.ts'

/**
 * Returns the public address of the repository, such as `https://forge.example/owner/mintmark`, or an empty
 * string while it has none. It is the field `repository` of the root's package.json.
 */
function getRepositoryAddress(root: string): string {
  return readManifest(join(root, 'package.json')).repository ?? ''
}

/** Returns why a checkout cannot be published, or undefined. */
export function findReleaseProblem(root: string): string | undefined {
  if (/^https:\/\/[^/]+\/.*[^/]$/.test(getRepositoryAddress(root))) return undefined
  return 'The repository has no address. Set "repository" in package.json to its public https address'
}

/** The links of a package that npm shows. Provenance requires `repository`. */
function createLinks(address: string, directory: string) {
  return {
    repository: { type: 'git', url: `git+${address}.git`, directory },
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: `${address}/issues`,
  }
}

/**
 * Writes what tarballs have beside the built files: the SBOM of each package in `dist/sbom.cdx.json`, and in its
 * package.json the links to the repository if it has an address.
 */
export function preparePackages(root: string): void {
  const address = getRepositoryAddress(root)
  const lockfile: { packages: LockedPackages } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const workspaces = packagesOf(root).map((each) => ({ ...each, directory: `packages/${shortName(each)}` }))
  // `changeset version` has written the versions to the manifests only.
  const own = workspaces.map(({ directory, manifest: { name, version } }) => [
    directory,
    { ...lockfile.packages[directory], name, version },
  ])
  const packages: LockedPackages = { ...lockfile.packages, ...Object.fromEntries(own) }
  for (const { folder, manifest, directory } of workspaces) {
    const sbom = createSbom(packages, directory)
    writeFileSync(join(folder, 'dist/sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
    if (address === '') continue
    const linked = { ...manifest, ...createLinks(address, directory) }
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(linked, null, 2)}\n`)
  }
}
