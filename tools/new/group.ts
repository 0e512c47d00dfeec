// `npm run new:group -- cards gift-cards`: a group of operations over records of their own, from the client to the database, with
// tests and documentation. The result passes `npm test`; change it from there.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { type Plan, planGroup } from './plan.ts'
import { Problem } from './problem.ts'

const USAGE = `npm run new:group -- <package> <group> [<one of them>]

  npm run new:group -- cards gift-cards
  npm run new:group -- market movies movie`

/** Runs a program of the repository. Throws its output if it fails. */
function run(...parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd: repositoryRoot,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${parameters.join(' ')}\n${stdout}${stderr}`)
}

/** Writes a plan's files, formatted by Biome. */
function write({ created, changed }: Plan): void {
  const files = [...created, ...changed]
  for (const [path, text] of files) {
    mkdirSync(dirname(join(repositoryRoot, path)), { recursive: true })
    writeFileSync(join(repositoryRoot, path), text)
  }
  const formatted = files.map(([path]) => path).filter((path) => !path.endsWith('.md'))
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...formatted)
}

/** Writes the reports of what packages export. */
function generate(): void {
  run('--conditions=@mintmark/source', 'tools/build/main.ts')
  run('--conditions=@mintmark/source', 'tools/gates/api.ts', '--write')
}

const listed = (files: ReadonlyMap<string, string>) => [...files.keys()].map((path) => `  ${path}`).join('\n')

const [folder, group, record, ...more] = process.argv.slice(2)
if (folder === undefined || group === undefined || more.length > 0) {
  console.error(USAGE)
  process.exit(1)
}
try {
  const plan = planGroup(repositoryRoot, folder, group, record)
  write(plan)
  const { created, changed, names } = plan
  console.log(
    `The group ${names.camel}, of records ${names.one.pascal}. New files:\n${listed(created)}\nChanged files:\n${listed(changed)}`,
  )
  console.log('Writing the API reports. This builds the packages first and takes a minute.')
  try {
    generate()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(
      "The group's files are written, the API reports are not. Fix the error, then run npm run api -- --write",
    )
    process.exit(1)
  }
  console.log(`
Next:
- npm test
- Replace the sample fields of a ${names.one.words} by its own ("Add a field" in CONTRIBUTING.md). The migration may be edited until it is
  released.
- After a change of the client: npm run api -- --write`)
} catch (error) {
  if (!(error instanceof Problem)) throw error
  console.error(`${error.message}\nNothing was written.`)
  process.exitCode = 1
}
