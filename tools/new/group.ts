// `npm run new:group -- cards gift-cards`: a group of operations over records of their own, from the client to the database, with
// tests and documents. What it makes works and passes `npm test`; from there on it is yours to change.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { type Plan, planGroup } from './plan.ts'
import { Problem } from './problem.ts'

const USAGE = `npm run new:group -- <package> <group> [<one of them>]

  npm run new:group -- cards gift-cards
  npm run new:group -- market movies movie`

/** Runs a program of the repository; throws with what it said when it fails. */
function run(...parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd: repositoryRoot,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${parameters.join(' ')}\n${stdout}${stderr}`)
}

/** Writes a plan's files in the form that Biome wants, and what is generated from them. */
function write({ created, changed }: Plan): void {
  const files = [...created, ...changed]
  for (const [path, text] of files) {
    mkdirSync(dirname(join(repositoryRoot, path)), { recursive: true })
    writeFileSync(join(repositoryRoot, path), text)
  }
  const formatted = files.map(([path]) => path).filter((path) => !path.endsWith('.md'))
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...formatted)
  run('--conditions=@mintmark/source', 'tools/reference/main.ts')
}

const [folder, group, record, ...more] = process.argv.slice(2)
if (folder === undefined || group === undefined || more.length > 0) {
  console.error(USAGE)
  process.exit(1)
}
try {
  const plan = planGroup(repositoryRoot, folder, group, record)
  write(plan)
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
  if (!(error instanceof Problem)) throw error
  console.error(`${error.message}\nNothing was written.`)
  process.exitCode = 1
}
