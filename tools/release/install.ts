import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAside } from './run.ts'

/** Makes an empty project, as `npm init` would, that finds our packages where `npmrc` says. */
export function newProject(folder: string, npmrc: string, overrides: object = {}): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }))
  writeFileSync(join(folder, '.npmrc'), npmrc)
}

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error']

/** `npm install` as a user types it. What is not ours comes from npm's cache where it can. */
export async function install(folder: string, wanted: readonly string[]): Promise<void> {
  await runAside('npm', ['install', ...QUIETLY, '--prefer-offline', ...wanted], folder)
}

/** `npm update`, which asks what has been published since. */
export async function update(folder: string): Promise<void> {
  await runAside('npm', ['update', ...QUIETLY], folder)
}

/** A package in a project's `node_modules`. */
export interface Installed {
  readonly name: string
  readonly version: string
  /** From the project on, such as `node_modules/ky`: another copy of a package lies deeper. */
  readonly path: string
}

/** All that npm put into a project, by its own record. */
export function installedIn(folder: string): readonly Installed[] {
  const record: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
  )
  return Object.entries(record.packages).map(([path, { version }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    path,
  }))
}
