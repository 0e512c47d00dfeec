// `npm run reference` writes docs/reference and llms.txt from the operations, their docstrings and the examples of docs/.
import { repositoryRoot } from '../workspace.ts'
import { writePages } from './files.ts'
import { referencePages } from './pages.ts'

const { pages, problems } = await referencePages(repositoryRoot)
for (const file of writePages(repositoryRoot, pages)) console.log(file)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
