import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packagesOf } from '../workspace.ts'
import type { Verdict } from './verdict.ts'

/** What knip calls its findings, and what they are. */
const KINDS = {
  files: 'is used by nothing',
  dependencies: 'is a dependency that nothing uses',
  devDependencies: 'is a dependency that nothing uses',
  optionalPeerDependencies: 'is used, but only an optional peer',
  unlisted: 'is used, and package.json does not declare it',
  binaries: 'is a command that no dependency brings',
  unresolved: 'is imported and not there',
  exports: 'is exported, and nothing imports it',
  types: 'is exported, and nothing imports it',
  nsExports: 'is exported, and nothing imports it',
  nsTypes: 'is exported, and nothing imports it',
  enumMembers: 'is a member that nothing uses',
  namespaceMembers: 'is a member that nothing uses',
  catalog: 'is in a catalog that nothing uses',
  catalogReferences: 'is in no catalog',
} as const

interface Found {
  readonly name: string
  readonly line?: number
}

/** The report of knip's reporter `json`, as far as it is read here. */
interface KnipReport {
  readonly issues: readonly ({ readonly file: string } & Readonly<
    Partial<Record<keyof typeof KINDS, readonly Found[]>>
  > & {
      readonly duplicates?: readonly (readonly Found[])[]
    })[]
}

/** One line for each finding of a report. */
export function findingsOf({
  issues,
}: KnipReport): readonly { readonly file: string; readonly text: string }[] {
  return issues.flatMap((issue) => {
    const at = (line: number | undefined) => (line === undefined ? issue.file : `${issue.file}:${line}`)
    const plain = Object.entries(KINDS).flatMap(([kind, what]) =>
      (issue[kind as keyof typeof KINDS] ?? []).map(({ name, line }) => ({
        file: issue.file,
        text: kind === 'files' ? `${issue.file} ${what}` : `${at(line)}: ${name} ${what}`,
      })),
    )
    const twice = (issue.duplicates ?? []).map((names) => ({
      file: issue.file,
      text: `${at(names[0]?.line)}: ${names.map(({ name }) => name).join(' and ')} are the same export`,
    }))
    return [...plain, ...twice]
  })
}

/** Asks knip, with the repository's `knip.jsonc`, for dependencies, files and exports that are not used or not declared. */
export function checkDependencies(root: string): readonly Verdict[] {
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/knip/bin/knip.js'), '--reporter', 'json', '--no-progress', '--no-exit-code'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  if (error !== undefined) throw error
  if (!stdout.trimStart().startsWith('{')) throw new Error(`knip did not report:\n${stdout}${stderr}`)
  const findings = findingsOf(JSON.parse(stdout))
  const inside = (folder: string) => findings.filter(({ file }) => file.startsWith(folder))
  const packages = packagesOf(root).map(({ folder, manifest }) => {
    const { dependencies, optionalDependencies } = manifest
    const count = Object.keys({ ...dependencies, ...optionalDependencies }).length
    return {
      package: manifest.name,
      gate: 'dependencies',
      said: count === 0 ? 'none' : `${count} declared`,
      problems: inside(`${folder.slice(root.length + 1).replaceAll('\\', '/')}/`).map(({ text }) => text),
    }
  })
  const elsewhere = findings.filter(({ file }) => !file.startsWith('packages/')).map(({ text }) => text)
  return [
    ...packages,
    { package: 'repository', gate: 'dependencies', said: 'tools and examples', problems: elsewhere },
  ]
}
