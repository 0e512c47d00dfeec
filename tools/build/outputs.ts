import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { filesBelow, type Package } from '../workspace.ts'
import { applyEdits, type Edit, purityOf } from './pure.ts'
import { type Insertion, shiftMappings } from './source-map.ts'

/** Written beside and moved into place, so that a reader never sees half a file. */
export function replaceFile(path: string, content: string): void {
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, content)
  renameSync(beside, path)
}

function insertionsOf(code: string, edits: readonly Edit[]): Insertion[] {
  return edits.map(({ at, text }) => {
    const before = code.slice(0, at)
    const line = before.split('\n').length - 1
    return { line, column: at - (before.lastIndexOf('\n') + 1), length: text.length }
  })
}

function modulesIn(folder: string): readonly string[] {
  return filesBelow(folder, (path) => path.endsWith('.js') && !path.includes(`${sep}assets${sep}`))
}

/** The built modules that still have something to mark: those that the compiler wrote and nobody marked. */
export function unmarkedIn(folder: string): readonly string[] {
  return modulesIn(folder).filter((path) => purityOf(readFileSync(path, 'utf8'), path).edits.length > 0)
}

/**
 * Marks what a package's built modules do at the top level as pure. Files that are marked already are left alone, so this runs
 * after every build whatever the compiler wrote anew. Returns what cannot be marked, as `file:line: what`.
 */
export function markPackage({ folder }: Package): readonly string[] {
  return modulesIn(`${folder}/dist`).flatMap((path) => {
    const code = readFileSync(path, 'utf8')
    const { edits, problems } = purityOf(code, path)
    if (edits.length > 0) {
      const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
      const mappings = shiftMappings(map.mappings, insertionsOf(code, edits))
      replaceFile(`${path}.map`, JSON.stringify({ ...map, mappings }))
      replaceFile(path, applyEdits(code, edits))
    }
    return problems.map((problem) => `${relative(process.cwd(), path)}:${problem}`)
  })
}

/** Removes what was built from a source that is gone: the compiler leaves it, and a package would ship it. */
export function removeStale({ folder }: Package): readonly string[] {
  const built = /\.(?:js|d\.ts)(?:\.map)?$/
  const stale = filesBelow(
    `${folder}/dist`,
    (path) => built.test(path) && !path.includes(`${sep}assets${sep}`),
  ).filter(
    (path) => !existsSync(path.replace(`${folder}${sep}dist`, `${folder}${sep}src`).replace(built, '.ts')),
  )
  for (const path of stale) rmSync(path)
  return stale
}
