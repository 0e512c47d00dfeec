import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, readManifest, shortName } from '../workspace.ts'
import { createSbom, type LockedPackages } from './sbom.ts'

/**
 * Writes what tarballs have beside the built files: the SBOM of each package in `dist/sbom.cdx.json`, and the
 * links that npm shows in its package.json, if the root's package.json has the address of the repository.
 *
 * @throws Error if the address is required and missing: provenance needs it.
 */
export function preparePackages(root: string, { requiresAddress = false } = {}): void {
  const { repository: address = '' } = readManifest(join(root, 'package.json'))
  if (requiresAddress && !/^https:\/\/[^/]+\/.*[^/]$/.test(address))
    throw new Error(
      'The repository has no address. Set "repository" in package.json to its public https address',
    )
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
    const links = {
      repository: { type: 'git', url: `git+${address}.git`, directory },
      homepage: `${address}/tree/main/${directory}#readme`,
      bugs: `${address}/issues`,
    }
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`)
  }
}
