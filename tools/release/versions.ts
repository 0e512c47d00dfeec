import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { run } from './run.ts'

/** The names of the changes that wait for a release. */
export function waitingChanges(copy: string): readonly string[] {
  return readdirSync(join(copy, '.changeset'))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => file.replace(/\.md$/, ''))
}

/** Runs the command line of changesets, which has the last word on versions. */
export function changeset(copy: string, ...parameters: readonly string[]): string {
  return run(
    process.execPath,
    [join(repositoryRoot, 'node_modules/@changesets/cli/bin.js'), ...parameters],
    copy,
  )
}

/** Writes the versions that the waiting changes ask for. Without one, `changeset version` would fail: all versions are written. */
export function writeVersions(copy: string): void {
  if (waitingChanges(copy).length > 0) changeset(copy, 'version')
}

/** Each package's version, by its name. */
export function versionsOf(copy: string): Readonly<Record<string, string>> {
  return Object.fromEntries(packagesOf(copy).map(({ manifest }) => [manifest.name, manifest.version]))
}

/** How much a release changes a package for its users. */
export type Bump = 'patch' | 'minor' | 'major'

/** Lays a change beside those that wait, as `changeset` writes it. */
export function addChange(copy: string, bumps: Readonly<Record<string, Bump>>): void {
  const lines = Object.entries(bumps).map(([name, bump]) => `'${name}': ${bump}\n`)
  const file = join(copy, '.changeset', `${Object.keys(bumps).join('-').replace(/[@/]/g, '')}.md`)
  writeFileSync(file, `---\n${lines.join('')}---\n\nA change of the rehearsal.\n`)
}
