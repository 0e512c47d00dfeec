// `npm run new:group -- cards gift-cards`: a group of operations over records of their own, from the client
// to the database, with tests and documentation. The result passes `npm test`; change it from there.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { PlanError } from './names.ts'
import { type Plan, planGroup } from './plan.ts'

const USAGE = `npm run new:group -- <package> <group> [<singular>]

  npm run new:group -- cards gift-cards
  npm run new:group -- market movies movie`

/** Runs a program of the repository. Throws an error with its output if it fails. */
function run(...parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd: repositoryRoot,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${parameters.join(' ')}\n${stdout}${stderr}`)
}

/** Writes a plan's files, formatted by Biome, and the API reports. */
function write({ created, changed, names }: Plan): void {
  const files = [...created, ...changed]
  for (const [path, text] of files) {
    mkdirSync(dirname(join(repositoryRoot, path)), { recursive: true })
    writeFileSync(join(repositoryRoot, path), text)
    console.log(`${created.has(path) ? 'created' : 'changed'} ${path}`)
  }
  const code = files.map(([path]) => path).filter((path) => !path.endsWith('.md'))
  run('node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...code)
  console.log('Writing the API reports. This builds the packages first and takes a minute.')
  run('--conditions=@mintmark/source', 'tools/build/main.ts')
  run('--conditions=@mintmark/source', 'tools/gates/api.ts', '--write')
  console.log(`
Next:
- npm test
- Replace the sample fields of a ${names.one.words} by its own ("Add a field" in CONTRIBUTING.md). The migration may be edited until it is
  released.
- After a change of the client: npm run api -- --write`)
}

const [folder, group, record, ...more] = process.argv.slice(2)
if (folder === undefined || group === undefined || more.length > 0) {
  console.error(USAGE)
  process.exit(1)
}
try {
  write(planGroup(repositoryRoot, folder, group, record))
} catch (error) {
  if (!(error instanceof PlanError)) throw error
  console.error(`${error.message}. Nothing was written`)
  process.exitCode = 1
}
