import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { attempt } from './run.ts'

/** What a careful user has; the declarations of our packages are checked with it. */
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  // TypeScript's own declarations are checked by nobody else's compiler either.
  skipDefaultLibCheck: true,
  noEmit: true,
}

/** A line that begins a problem names its file; lines that explain it are indented. */
const FOREIGN = /^(?:\.\.\/)*node_modules\/(?!@mintmark\/)/

/** The compiler's problems with some files of a project and with our declarations; those of foreign declarations are not ours. */
export function ownProblems(output: string): readonly string[] {
  return output
    .split(/\n(?=\S)/)
    .map((problem) => problem.trimEnd())
    .filter((problem) => problem !== '' && !FOREIGN.test(problem))
}

/** Compiles files of a project, and every declaration that they lead to; throws with what is wrong. */
export async function compile(folder: string, files: readonly string[]): Promise<void> {
  const types = existsSync(join(folder, 'node_modules/@types/node')) ? ['node'] : []
  const configuration = { compilerOptions: { ...compilerOptions, types }, files }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc')
  const { failed, output } = await attempt(process.execPath, [compiler, '--pretty', 'false'], folder)
  const problems = ownProblems(output)
  if (problems.length > 0) throw new Error(`tsc in ${folder}:\n${problems.join('\n')}`)
  // A compiler that failed without naming a file did not compile.
  if (failed && !/^\S+\(\d+,\d+\): /m.test(output)) throw new Error(`tsc in ${folder} failed:\n${output}`)
}
