import { join } from 'node:path'
import type { Manifest, Package } from '../workspace.ts'
import { readManifest } from '../workspace.ts'
import { run } from './run.ts'

/** A package as it would be published. */
export interface Packed {
  readonly manifest: Manifest
  /** Absolute path of the tarball. */
  readonly tarball: string
  /** Paths in the tarball, from the package's folder on. */
  readonly files: readonly string[]
}

/** Packs one package into a folder, as `npm publish` would. */
export function pack({ folder }: Package, into: string): Packed {
  const told: unknown = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], folder),
  )
  // npm answers a list with one entry; newer ones an object by the package's name.
  const [report] = Object.values(told as Record<string, { filename: string; files: { path: string }[] }>)
  if (report === undefined) throw new Error(`npm pack said nothing of ${folder}`)
  return {
    manifest: readManifest(join(folder, 'package.json')),
    tarball: join(into, report.filename),
    files: report.files.map(({ path }) => path),
  }
}

/** What a published package must not lack or bring along. */
export function problemsOfTarball({ manifest, files }: Packed): readonly string[] {
  const present = new Set(files)
  const named = Object.values(manifest.exports ?? {}).flatMap((targets) =>
    typeof targets === 'string' ? [targets] : Object.values(targets),
  )
  const missing = [...named, ...Object.values(manifest.bin ?? {})]
    .map((target) => target.replace(/^\.\//, ''))
    .filter((target) => !present.has(target))
    .map((target) => `${manifest.name} names ${target}, which is not packed`)
  const unwanted = files
    .filter((path) => /\.test(?:-d)?\.|\.tsbuildinfo$|(?:^|\/)node_modules\//.test(path))
    .map((path) => `${manifest.name} packs ${path}`)
  const unversioned = manifest.version === '0.0.0' ? [`${manifest.name} has no version: add a changeset`] : []
  const loose = Object.entries({ ...manifest.dependencies })
    .filter(([name, range]) => name.startsWith('@mintmark/') && !/^\^[0-9]/.test(range))
    .map(
      ([name, range]) =>
        `${manifest.name} asks for ${name} ${range}: the ranges between our packages are caret ranges`,
    )
  return [...missing, ...unwanted, ...unversioned, ...loose]
}
