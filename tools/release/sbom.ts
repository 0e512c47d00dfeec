import { posix } from 'node:path'

/** The parts of a package in `package-lock.json` that an SBOM needs. */
interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  /** The folder of a workspace, of an entry that is a `link` to it. */
  readonly resolved?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The packages of a lockfile, by their path. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

/** The console's bundle contains what only its build needs to have installed. */
const BUNDLED = 'packages/console'

/** Finds a dependency as Node does: in the package's own `node_modules`, then in those of the folders above. */
function findLocked(packages: LockedPackages, from: string, name: string): string | undefined {
  const path = posix.join(from, 'node_modules', name)
  const found = packages[path]
  if (found !== undefined) return found.link === true ? found.resolved : path
  return from === '.' ? undefined : findLocked(packages, posix.dirname(from), name)
}

function listDependencies(packages: LockedPackages, path: string): readonly string[] {
  const { dependencies, optionalDependencies, devDependencies } = packages[path] ?? {}
  const names = { ...dependencies, ...optionalDependencies, ...(path === BUNDLED ? devDependencies : {}) }
  return Object.keys(names).flatMap((name) => findLocked(packages, path, name) ?? [])
}

const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

function createComponent(packages: LockedPackages, path: string) {
  const installedName = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { name = installedName, version, license, integrity } = packages[path] ?? {}
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [, hash] = /sha512-(\S+)/.exec(integrity ?? '') ?? []
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    // JSON leaves undefined fields out: our packages have no hash in the lockfile.
    hashes: hash === undefined ? undefined : [{ alg: 'SHA-512', content: toHex(hash) }],
    licenses: license === undefined ? undefined : [{ expression: license }],
  }
}

/**
 * Creates the SBOM of a workspace package in CycloneDX: what it needs at run time, in the versions of the
 * lockfile, which are those that it was tested with. It has no time and no serial number, so that two builds of
 * one commit are the same.
 */
export function createSbom(packages: LockedPackages, path: string) {
  const paths = new Set([path])
  for (const each of paths) {
    for (const dependency of listDependencies(packages, each)) paths.add(dependency)
  }
  const getRef = (each: string) => createComponent(packages, each).purl
  // The same version may be installed in several folders.
  const distinct = new Map([...paths].map((each) => [getRef(each), each]))
  const [component, ...components] = [...distinct.values()].map((each) => createComponent(packages, each))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
    dependencies: [...distinct].map(([ref, each]) => ({
      ref,
      dependsOn: listDependencies(packages, each).map(getRef),
    })),
  }
}
