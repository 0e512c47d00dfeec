// `links` follows the links of all documents within the repository, and lists those that lead elsewhere, which nobody fetches here.
import { describeProblem } from '../check/problem.ts'
import { repositoryRoot } from '../workspace.ts'
import { checkLinks } from './check.ts'

const { problems, external, count } = checkLinks(repositoryRoot)
for (const [target, files] of [...external].sort())
  console.log(`${target}  (${[...new Set(files)].join(', ')})`)
for (const problem of problems) console.error(describeProblem(problem))
console.log(
  `${count} links, ${external.size} addresses elsewhere: ${problems.length === 0 ? 'nothing to say' : `${problems.length} lead nowhere`}`,
)
if (problems.length > 0) process.exitCode = 1
