import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Package } from '../workspace.ts'
import { type ApiReport, apiReports } from './api-reports.ts'
import type { Verdict } from './verdict.ts'

const ACCEPT = 'See whether users may notice it, and accept it with: npm run gates -- --write'

/** Committed reports, by their path from the repository's top folder on. */
function committed(root: string, { folder }: Package): ReadonlyMap<string, string> {
  const reports = join(folder, 'api')
  const files = existsSync(reports) ? readdirSync(reports).sort() : []
  return new Map(
    files.map((name) => {
      const file = `packages/${basename(folder)}/api/${name}`
      return [file, readFileSync(join(root, file), 'utf8')]
    }),
  )
}

/** Where two texts part: the line's number from 1, and what stands there in each. */
function firstDifference(before: string, now: string): string {
  const [old, current] = [before.split('\n'), now.split('\n')]
  const at = current.findIndex((line, index) => line !== old[index])
  const index = at === -1 ? current.length : at
  return `from line ${index + 1} on\n- ${old[index] ?? ''}\n+ ${current[index] ?? ''}`
}

/** What one package exports otherwise than its committed reports say. */
export function changesOf(
  before: ReadonlyMap<string, string>,
  now: readonly Pick<ApiReport, 'file' | 'text'>[],
): readonly string[] {
  const present = new Set(now.map(({ file }) => file))
  const changed = now.flatMap(({ file, text }) => {
    const old = before.get(file)
    if (old === text) return []
    const how = old === undefined ? 'is new' : `changes, ${firstDifference(old, text)}`
    return [`${file} ${how}\n${ACCEPT}`]
  })
  const gone = [...before.keys()]
    .filter((file) => !present.has(file))
    .map((file) => `${file} is of an entry that is gone\n${ACCEPT}`)
  return [...changed, ...gone]
}

/** Compares what the packages export, as built, with the reports that are committed. */
export function checkApi(root: string, packages: readonly Package[]): readonly Verdict[] {
  const reports = apiReports(packages)
  return packages.map((each) => {
    const own = reports.filter((report) => report.package === each.manifest.name)
    return {
      package: each.manifest.name,
      gate: 'api',
      said: own.length === 1 ? '1 report' : `${own.length} reports`,
      problems: changesOf(committed(root, each), own),
    }
  })
}

/** Writes the reports, and removes those of entries that are gone. Answers the files that changed. */
export function writeApi(root: string, packages: readonly Package[]): readonly string[] {
  const reports = apiReports(packages)
  const before = new Map(packages.flatMap((each) => [...committed(root, each)]))
  const written = reports.filter(({ file, text }) => before.get(file) !== text)
  for (const { file, text } of written) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const present = new Set(reports.map(({ file }) => file))
  const gone = [...before.keys()].filter((file) => !present.has(file))
  for (const file of gone) rmSync(join(root, file))
  return [...written.map(({ file }) => file), ...gone].sort()
}
