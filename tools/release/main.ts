// `npm run release`: publishes the built packages whose version the registry does not have. It writes SBOMs and
// links into the packages of this checkout. `-- --dry-run` only writes them, for `npm pack`.
import { spawnSync } from 'node:child_process'
import { binary } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'
import { preparePackages } from './prepare.ts'

const isDryRun = process.argv.includes('--dry-run')
preparePackages(repositoryRoot, { requiresAddress: !isDryRun })
if (!isDryRun) {
  const { status } = spawnSync(binary('changeset'), ['publish'], { cwd: repositoryRoot, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
