import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { filesBelow } from '../workspace.ts'

/** The generated files that stand in the repository, by their path from its top. */
function standing(root: string): readonly string[] {
  const pages = filesBelow(join(root, 'docs', 'reference'), () => true)
  const files = [...pages, join(root, 'llms.txt')].filter((file) => existsSync(file))
  return files.map((file) => relative(root, file).split(sep).join('/'))
}

/** The files that are not as they would be written now: changed, missing, or of what is no more. */
export function outdated(root: string, pages: ReadonlyMap<string, string>): readonly string[] {
  const gone = standing(root).filter((file) => !pages.has(file))
  const different = [...pages].filter(([file, text]) => {
    const path = join(root, file)
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
  return [...different.map(([file]) => file), ...gone].sort()
}

/** Writes what is outdated, and removes the pages of what is no more. */
export function writePages(root: string, pages: ReadonlyMap<string, string>) {
  const changed = outdated(root, pages)
  for (const file of changed) {
    const text = pages.get(file)
    const path = join(root, file)
    if (text === undefined) {
      rmSync(path)
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return { changed, total: pages.size }
}
