// Builds every package: one run of the compiler over the whole, then what bundlers and servers need besides.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { copyDocsAsset } from './docs-asset.ts'
import { markPackage, removeStale } from './outputs.ts'

const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc')
const packages = packagesOf(repositoryRoot)
for (const each of packages) removeStale(each)
const { status } = spawnSync(process.execPath, [compiler, '-b'], { cwd: repositoryRoot, stdio: 'inherit' })
if (status !== 0) {
  process.exitCode = status ?? 1
} else {
  const problems = packages.filter(({ manifest }) => manifest.sideEffects === false).flatMap(markPackage)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  copyDocsAsset(repositoryRoot)
}
