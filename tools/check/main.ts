// `node tools/setup.mjs check`: finds text that must not be committed, lockfiles that differ from their
// package.json or name a registry, packages without a test target, and files that ARCHITECTURE.md names and that are gone.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { filesBelow, packagesOf, repositoryRoot } from '../workspace.ts'
import { findForbidden } from './forbidden.ts'

const TEXT =
  /\.(?:[cm]?[jt]sx?|json|md|ya?ml|sh|sql|sol|html|css|template)$|\/(?:run|LICENSE|\.gitignore|\.npmrc)$/
/** Files that other tools write, and those that spell out the forbidden words. */
const EXEMPT = /package-lock\.json$|^packages\/devkit\/src\/chain\/artifacts\/|^tools\/check\//

const problems: string[] = []
for (const path of filesBelow(repositoryRoot, (path) => TEXT.test(path))) {
  const file = relative(repositoryRoot, path).split(sep).join('/')
  if (EXEMPT.test(file)) continue
  for (const { line, reason } of findForbidden(readFileSync(path, 'utf8')))
    problems.push(`${file}:${line}: ${reason}`)
}

interface LockedPackage extends Readonly<Record<string, unknown>> {
  readonly resolved?: string
  readonly link?: boolean
}

/** Checks the lockfile of a folder, which also locks the workspaces in it. */
function checkLockfile(folder: string, workspaces: readonly string[]): void {
  const file = join(folder, 'package-lock.json')
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, 'utf8'))
  for (const [path, { resolved, link }] of Object.entries(packages)) {
    const isAddress = resolved !== undefined && (link !== true || /^[a-z+]+:/.test(resolved))
    if (isAddress)
      problems.push(`${file}: ${path} records an address. Set omit-lockfile-registry-resolved and reinstall`)
  }
  for (const workspace of workspaces) {
    const manifestFile = join(folder, workspace, 'package.json')
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
    const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
    const outdated = kinds.some((kind) => !isDeepStrictEqual(packages[workspace]?.[kind], manifest[kind]))
    if (outdated) problems.push(`${file} does not fit ${manifestFile}. Run npm install --package-lock-only`)
  }
}

const workspaces = packagesOf(repositoryRoot).map(({ folder }) =>
  relative(repositoryRoot, folder).split(sep).join('/'),
)
checkLockfile(repositoryRoot, ['', ...workspaces])
for (const folder of ['docs', 'tools/gates', 'tools/toolchains']) {
  // A test runs this in copies without them.
  if (existsSync(join(repositoryRoot, folder))) checkLockfile(join(repositoryRoot, folder), [''])
}

for (const { manifest } of packagesOf(repositoryRoot)) {
  if (manifest.nx?.targets?.test === undefined)
    problems.push(`${manifest.name} has no nx target "test", so "nx affected -t test" skips its tests`)
}

const architecture = join(repositoryRoot, 'ARCHITECTURE.md')
if (existsSync(architecture)) {
  const steps = readFileSync(architecture, 'utf8').match(/^\d+\. `[^`\n]+\.(?:ts|sql)`/gm) ?? []
  for (const path of steps.map((step) => step.replace(/^\d+\. `|`$/g, ''))) {
    if (!existsSync(join(repositoryRoot, 'packages/facilitator-server/src', path)))
      problems.push(`ARCHITECTURE.md: there is no ${path}. Name the file that does this step now`)
  }
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
