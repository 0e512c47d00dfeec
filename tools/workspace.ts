import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's top folder. */
export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)))

/** The files of an entry of a package, by condition. */
interface Targets {
  /** Client packages have declarations for CommonJS too. */
  readonly types?: string | { readonly require: string; readonly default: string }
  readonly default?: string
}

/** The parts of a package.json that the tools read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly private?: boolean
  readonly repository?: string
  readonly sideEffects?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Targets>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly nx?: { readonly tags?: readonly string[]; readonly targets?: { readonly test?: object } }
}

/** One package of the workspace. */
export interface Package {
  /** Absolute path of its folder. */
  readonly folder: string
  readonly manifest: Manifest
}

/** Reads a package.json. Its shape is npm's and is not checked again here. */
export function readManifest(file: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  return manifest
}

/** The published packages below `packages/`, by folder name. */
export function packagesOf(root: string): readonly Package[] {
  const packages = join(root, 'packages')
  return readdirSync(packages)
    .sort()
    .map((name) => join(packages, name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(join(folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.private !== true)
}

/** The layers from the top down: `.dependency-cruiser.mjs` says which may import which. */
type Layer = 'program' | 'server' | 'kit' | 'umbrella' | 'domain' | 'vocabulary' | 'core'

/** The packages of a layer, by the nx tag of their package.json. */
export function packagesOfLayer(root: string, ...layers: readonly Layer[]): readonly Package[] {
  return packagesOf(root).filter(({ manifest }) =>
    layers.some((layer) => manifest.nx?.tags?.includes(`layer:${layer}`)),
  )
}

/** `cards` for `@mintmark/cards`, which is also the name of its folder. */
export function shortName({ manifest }: Package): string {
  return manifest.name.replace('@mintmark/', '')
}

/** What git ignores: installed, built or made by running. */
const GENERATED = new Set(['node_modules', 'dist', '.git', '.nx', '.next', '.mintmark', 'coverage'])

/**
 * Every file below a folder that `isIncluded` accepts, sorted; folders of generated files inside it are not
 * entered.
 */
export function filesBelow(folder: string, isIncluded: (path: string) => boolean): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return GENERATED.has(entry.name) ? [] : filesBelow(path, isIncluded)
      return entry.isFile() && isIncluded(path) ? [path] : []
    })
    .sort()
}
