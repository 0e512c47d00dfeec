// `npm run release`: publishes the built packages whose version the registry does not have, as CONTRIBUTING.md
// describes. It writes SBOMs and links into the packages of this checkout. `-- --dry-run` only writes them, so
// that `npm pack` makes the tarballs of the release.
import { spawnSync } from 'node:child_process'
import { binary } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'
import { findReleaseProblem, preparePackages } from './prepare.ts'

const isDryRun = process.argv.includes('--dry-run')
const problem = isDryRun ? undefined : findReleaseProblem(repositoryRoot)
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
} else {
  preparePackages(repositoryRoot)
  if (!isDryRun) {
    const { status } = spawnSync(binary('changeset'), ['publish'], { cwd: repositoryRoot, stdio: 'inherit' })
    process.exitCode = status ?? 1
  }
}
