// `npm run new:group -- cards gift-cards`: a group of operations over records of their own, from the client to the database, with
// tests and documents. What it makes works and passes `npm test`; from there on it is yours to change.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { NameProblem } from './names.ts'
import { GroupProblem, type Plan, planGroup } from './plan.ts'

const USAGE = `npm run new:group -- <package> <group> [<one of them>]

  npm run new:group -- cards gift-cards
  npm run new:group -- market movies movie`

/** Writes a plan's files and puts them into the form that Biome wants. */
function write(root: string, { created, changed }: Plan): void {
  const files = [...created, ...changed]
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const formatted = files.map(([path]) => path).filter((path) => !path.endsWith('.md'))
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', ...formatted], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Biome does not like what was written:\n${stdout}${stderr}`)
}

const [folder, group, record, ...more] = process.argv.slice(2)
if (folder === undefined || group === undefined || more.length > 0) {
  console.error(USAGE)
  process.exit(1)
}
try {
  const plan = planGroup(repositoryRoot, folder, group, record)
  write(repositoryRoot, plan)
  const { created, changed, names } = plan
  console.log(`New files:\n${[...created.keys()].map((path) => `  ${path}`).join('\n')}`)
  console.log(`It is named in:\n${[...changed.keys()].map((path) => `  ${path}`).join('\n')}`)
  console.log(`
Next:
- Give a ${names.one.words} its own fields: the client, the migration, the table's type and the store name them, then samples, tests and
  the document. Until it is released, the migration may still be edited.
- Operations that two callers can ask at once want their guards in the store's SQL; rules stand in a file of pure functions.
- npm test`)
} catch (error) {
  if (!(error instanceof NameProblem || error instanceof GroupProblem)) throw error
  console.error(`${error.message}\nNothing was written.`)
  process.exitCode = 1
}
