import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest, Package } from '../workspace.ts'
import { packagesOf, readManifest, repositoryRoot } from '../workspace.ts'
import { copyForRelease } from './copy.ts'
import { run } from './run.ts'
import { writeVersions } from './versions.ts'

/** A package as it would be published. */
export interface Packed {
  readonly manifest: Manifest
  /** Absolute path of the tarball. */
  readonly tarball: string
  /** Paths in the tarball, from the package's folder on. */
  readonly files: readonly string[]
}

/** nx finds the build done, or does it. */
export function build(): void {
  const nx = join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js')
  run(process.execPath, [nx, 'run', 'mintmark:build', '--outputStyle=static'], repositoryRoot)
}

/** Packs packages into a folder, as `npm publish` would. */
export function pack(packages: readonly Package[], into: string): readonly Packed[] {
  mkdirSync(into, { recursive: true })
  const parameters = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', into]
  const folders = packages.map(({ folder }) => folder)
  const told: unknown = JSON.parse(run('npm', [...parameters, ...folders], into))
  // npm answers a list; newer ones an object by the packages' names.
  const reports = Object.values(
    told as Record<string, { name: string; filename: string; files: { path: string }[] }>,
  )
  return packages.map(({ folder }) => {
    const manifest = readManifest(join(folder, 'package.json'))
    const report = reports.find(({ name }) => name === manifest.name)
    if (report === undefined) throw new Error(`npm pack said nothing of ${manifest.name}`)
    return {
      manifest,
      tarball: join(into, report.filename),
      files: report.files.map(({ path }) => path),
    }
  })
}

/**
 * Packs every package into a folder, from the checkout as it stands, at the versions that the next release would give them. Builds where
 * the built files are not those of the sources.
 */
export function packAll(into: string): readonly Packed[] {
  build()
  const copy = mkdtempSync(join(tmpdir(), 'mintmark-release-'))
  try {
    copyForRelease(repositoryRoot, copy)
    writeVersions(copy)
    return pack(packagesOf(copy), into)
  } finally {
    rmSync(copy, { recursive: true })
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
  // The licence asks to be handed on with every copy.
  const lacking = ['LICENSE', 'README.md']
    .filter((file) => !present.has(file))
    .map((file) => `${manifest.name} packs no ${file}`)
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
  return [...missing, ...lacking, ...unwanted, ...unversioned, ...loose]
}
