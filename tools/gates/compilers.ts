import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownProblems } from '../release/compile.ts'
import { attempt } from '../release/run.ts'
import { toolchain, versionOf } from '../toolchains/toolchains.ts'
import { type Package, packagesOf, repositoryRoot } from '../workspace.ts'
import type { Consumer } from './consumer.ts'
import type { Verdict } from './verdict.ts'

/** The last two major versions. */
const COMPILERS = ['typescript-6', 'typescript-7'] as const

const WAYS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

/** What a careful user has: the declarations of all packages are checked too. */
const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  allowImportingTsExtensions: true,
  noEmit: true,
}

interface Compilation {
  readonly compiler: (typeof COMPILERS)[number]
  readonly way: keyof typeof WAYS
  readonly files: readonly string[]
  readonly types: readonly string[]
  /** Whether the declarations of other packages are not ours to mend: pg-boss names a type that it does not have. */
  readonly ownAlone: boolean
}

/** What a compiler refuses of a program, a problem each. */
export async function compile(folder: string, asked: Compilation): Promise<readonly string[]> {
  const { compiler, way, files, types, ownAlone } = asked
  const configuration = { compilerOptions: { ...compilerOptions, ...WAYS[way], types }, files }
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(configuration))
  const parameters = [toolchain(compiler), '--pretty', 'false', '-p', project]
  const { failed, output } = await attempt(process.execPath, parameters, folder)
  const own = ownProblems(output)
  const problems = ownAlone ? own : output.split(/\n(?=\S)/).filter((each) => each.trim() !== '')
  const with_ = `TypeScript ${versionOf(compiler)}, ${way}`
  if (failed && output.trim() === '') return [`${with_}: the compiler failed and said nothing`]
  return problems.map((problem) => `${with_}: ${problem.trimEnd()}`)
}

/** Compiles the consumer's programs with the last two versions of TypeScript, as programs of Node and, of the clients, for bundlers. */
export async function checkCompilers({ folder, clients, servers }: Consumer): Promise<readonly Verdict[]> {
  const problems: string[] = []
  for (const compiler of COMPILERS) {
    for (const way of ['nodenext', 'bundler'] as const)
      problems.push(...(await compile(folder, { compiler, way, files: clients, types: [], ownAlone: false })))
    const ofServers = { compiler, way: 'nodenext', files: servers, types: ['node'], ownAlone: true } as const
    problems.push(...(await compile(folder, ofServers)))
  }
  return verdictsOf(packagesOf(repositoryRoot), problems)
}

/** Tells problems to the packages that they name; what names none is said of the repository. */
export function verdictsOf(packages: readonly Package[], problems: readonly string[]): readonly Verdict[] {
  const versions = COMPILERS.map((compiler) => versionOf(compiler)).join(' and ')
  const left = new Set(problems)
  const verdicts = packages.map(({ manifest }) => {
    const short = manifest.name.replace('@mintmark/', '')
    const own = problems.filter(
      (problem) => problem.includes(`${manifest.name}/`) || problem.includes(` ${short}/src/`),
    )
    for (const problem of own) left.delete(problem)
    return { package: manifest.name, gate: 'typescript', said: versions, problems: own }
  })
  return left.size === 0
    ? verdicts
    : [...verdicts, { package: 'repository', gate: 'typescript', said: versions, problems: [...left] }]
}
