import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { binary, run } from '../run.ts'
import { type Manifest, packagesOf, readManifest, repositoryRoot } from '../workspace.ts'
import { preparePackages } from './prepare.ts'

/** A package as it would be published. */
export interface Packed {
  readonly manifest: Manifest
  /** Absolute path of the tarball. */
  readonly tarball: string
  /** Paths in the tarball, relative to the package's folder. */
  readonly files: readonly string[]
}

/** The next release of the checkout: a copy with the versions written, and its tarballs. */
export interface Release {
  readonly copy: string
  readonly packages: readonly Packed[]
}

/** Commits everything in a copy, as an invented author. */
export async function commitCopy(copy: string, message: string): Promise<void> {
  const author = ['-c', 'user.name=release', '-c', 'user.email=release@localhost']
  const options = ['--quiet', '--allow-empty', '--no-verify', '--no-gpg-sign', `--message=${message}`]
  await run('git', ['add', '--all', '--force'], { cwd: copy })
  await run('git', [...author, 'commit', ...options], { cwd: copy })
}

/** Runs the command line of changesets in a copy. */
export async function changeset(copy: string, ...parameters: readonly string[]): Promise<void> {
  await run(binary('changeset'), parameters, { cwd: copy, env: { ...process.env, CI: 'true' } })
}

export type Bump = 'patch' | 'minor' | 'major'

/** Adds a changeset to a copy. */
export function addChange(copy: string, bumps: Readonly<Record<string, Bump>>): void {
  const lines = Object.entries(bumps).map(([name, bump]) => `'${name}': ${bump}\n`)
  const file = join(copy, '.changeset', `${Object.keys(bumps).join('-').replace(/[@/]/g, '')}.md`)
  writeFileSync(file, `---\n${lines.join('')}---\n\nA change of the rehearsal.\n`)
}

/** The files of changesets that are not released yet. */
export function pendingChanges(copy: string): readonly string[] {
  return readdirSync(join(copy, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md')
}

/**
 * Copies what a release reads from a checkout, built files and uncommitted changes included, with a history
 * of one commit.
 */
async function copyForRelease(checkout: string, copy: string): Promise<void> {
  // Changesets reads the workspaces from the lockfile and the origin of changes from git.
  for (const part of ['package.json', 'package-lock.json', '.changeset', 'packages']) {
    const filter = (path: string) => basename(path) !== 'node_modules'
    cpSync(join(checkout, part), join(copy, part), { recursive: true, filter })
  }
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: copy })
  await commitCopy(copy, 'The checkout')
}

/**
 * Packs every package of a checkout at the version that the next release gives it. The packages must be built.
 */
export async function packRelease(folder: string, checkout = repositoryRoot): Promise<Release> {
  const [copy, tarballs] = [join(folder, 'copy'), join(folder, 'tarballs')]
  for (const each of [copy, tarballs]) mkdirSync(each)
  await copyForRelease(checkout, copy)
  if (pendingChanges(copy).length > 0) await changeset(copy, 'version')
  preparePackages(copy)
  await commitCopy(copy, 'Versions')
  const folders = packagesOf(copy).map((each) => each.folder)
  const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', tarballs]
  // npm prints a list; newer versions an object by the packages' names.
  const reports: Record<string, { name: string; filename: string; files: { path: string }[] }> = JSON.parse(
    await run('npm', ['pack', ...options, ...folders], { cwd: folder }),
  )
  const packages = Object.values(reports).map(({ name, filename, files }) => ({
    manifest: readManifest(join(copy, 'packages', name.replace('@mintmark/', ''), 'package.json')),
    tarball: join(tarballs, filename),
    files: files.map(({ path }) => path),
  }))
  return { copy, packages }
}

/** Names the file with the release that all test files of a run share; `tools/vitest/release.ts` packs it. */
export const RELEASE_VARIABLE = 'MINTMARK_RELEASE'

export function readRelease(): Release {
  return JSON.parse(readFileSync(process.env[RELEASE_VARIABLE] ?? '', 'utf8'))
}
