// `npm run gates`: what a published package must pass, a line for each package and gate. `npm run gates -- api types` takes some of
// them; `npm run gates -- --write` accepts what the packages export now, by writing their API reports.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Packed, packAll } from '../release/pack.ts'
import { installToolchains } from '../toolchains/toolchains.ts'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { checkApi, writeApi } from './api.ts'
import { checkCompilers } from './compilers.ts'
import { consumerOf } from './consumer.ts'
import { checkDependencies } from './dependencies.ts'
import { checkSizes } from './sizes.ts'
import { checkTypesOf, lintTarball } from './tarballs.ts'
import { describeVerdict, type Verdict } from './verdict.ts'

const folder = mkdtempSync(join(tmpdir(), 'mintmark-gates-'))
let tarballs: readonly Packed[] | undefined
function packed(): readonly Packed[] {
  tarballs ??= packAll(folder)
  return tarballs
}

const packages = packagesOf(repositoryRoot)
const gates: Readonly<Record<string, () => Promise<readonly Verdict[]>>> = {
  publint: () => Promise.all(packed().map(lintTarball)),
  types: () => Promise.all(packed().map(checkTypesOf)),
  api: async () => checkApi(repositoryRoot, packages),
  dependencies: async () => checkDependencies(repositoryRoot),
  size: () => checkSizes(packages),
  typescript: async () => {
    installToolchains()
    using consumer = await consumerOf(packages, packed())
    return await checkCompilers(consumer)
  },
}

function write(): void {
  const files = writeApi(repositoryRoot, packages)
  for (const file of files) console.log(file)
  console.log(
    files.length === 0 ? 'The API reports say it already.' : `${files.length} reports written: commit them.`,
  )
}

async function check(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const gate = gates[name]
    if (gate === undefined)
      throw new Error(`There is no gate "${name}". Gates: ${Object.keys(gates).join(', ')}.`)
    const verdicts = await gate()
    for (const verdict of verdicts) console.log(describeVerdict(verdict))
    if (verdicts.some(({ problems }) => problems.length > 0)) process.exitCode = 1
  }
}

try {
  build()
  const asked = process.argv.slice(2)
  if (asked.includes('--write')) write()
  else await check(asked.length > 0 ? asked : Object.keys(gates))
} finally {
  rmSync(folder, { recursive: true })
}
