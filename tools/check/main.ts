// `check` runs every check of the repository's own rules; `check <name>` runs one. Biome and the compiler have tasks of their own.
import { repositoryRoot } from '../workspace.ts'
import { checkBoundaries } from './boundaries.ts'
import { checkLockfile } from './lockfile.ts'
import { describeProblem, type Problem } from './problem.ts'
import { checkRepository } from './repository.ts'

const checks: Readonly<Record<string, (root: string) => readonly Problem[]>> = {
  boundaries: checkBoundaries,
  lockfile: checkLockfile,
  repository: checkRepository,
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(checks)
for (const name of names) {
  const check = checks[name]
  if (check === undefined)
    throw new Error(`There is no check "${name}". Checks: ${Object.keys(checks).join(', ')}.`)
  const problems = check(repositoryRoot)
  for (const problem of problems) console.error(describeProblem(problem))
  console.log(problems.length === 0 ? `${name}: nothing to say` : `${name}: ${problems.length} found`)
  if (problems.length > 0) process.exitCode = 1
}
