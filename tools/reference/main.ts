// `reference` writes docs/reference and llms.txt from the operations, their docstrings and the examples of docs/.
import { repositoryRoot } from '../workspace.ts'
import { writePages } from './files.ts'
import { referencePages } from './pages.ts'

const { pages, problems } = await referencePages(repositoryRoot)
const { changed, total } = writePages(repositoryRoot, pages)
for (const file of changed) console.log(file)
for (const problem of problems) console.error(problem)
console.log(`${total} pages, ${changed.length === 0 ? 'all as they were' : `${changed.length} changed`}`)
if (problems.length > 0) process.exitCode = 1
