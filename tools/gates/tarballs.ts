import { readFileSync } from 'node:fs'
import { type CheckResult, checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Packed } from '../release/pack.ts'
import type { Verdict } from './verdict.ts'

/** What publint says of a tarball, its suggestions included. */
export async function lintTarball({ manifest, tarball }: Packed): Promise<Verdict> {
  const bytes = readFileSync(tarball)
  const buffer = new Uint8Array(bytes).buffer
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true, level: 'suggestion' })
  return {
    package: manifest.name,
    gate: 'publint',
    said: `${Math.round(bytes.length / 1000)} kB packed`,
    problems: messages.map(
      (message) => `${message.type} ${message.code}: ${formatMessage(message, pkg, { color: false })}`,
    ),
  }
}

/**
 * The ways of resolving a module that are not promised: the packages are ESM alone, so that a compiler that thinks of `require` finds
 * modules that it may not require (TypeScript says so to who tries), and one that knows no `exports` finds no subpaths.
 */
const NOT_PROMISED: ReadonlySet<string> = new Set(['node10', 'node16-cjs'])

/** What are-the-types-wrong says of the types in a tarball, for ESM in Node and for bundlers. */
export async function checkTypesOf({ manifest, tarball }: Packed): Promise<Verdict> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
  return {
    package: manifest.name,
    gate: 'types',
    said: result.types ? `${modulesOf(result)} entries` : 'no types',
    problems: result.types ? problemsOf(result) : ['The tarball holds no types'],
  }
}

/** The entries that are modules: `package.json` is one that is not. */
function modulesOf({ entrypoints }: Extract<CheckResult, { types: object }>): number {
  return Object.keys(entrypoints).filter((entry) => !entry.endsWith('.json')).length
}

function problemsOf({ problems }: Extract<CheckResult, { types: object }>): readonly string[] {
  return problems.flatMap((problem) => {
    const way =
      'resolutionKind' in problem
        ? problem.resolutionKind
        : 'resolutionOption' in problem
          ? problem.resolutionOption
          : ''
    if (NOT_PROMISED.has(way)) return []
    const where =
      'entrypoint' in problem ? problem.entrypoint : 'fileName' in problem ? problem.fileName : 'the package'
    return [`${problem.kind}: ${where}${way === '' ? '' : ` (${way})`}`]
  })
}
