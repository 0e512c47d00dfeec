import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { filesBelow } from '../workspace.ts'

/** The generated files that are missing, different or no longer generated. */
export function outdatedPages(root: string, pages: ReadonlyMap<string, string>): readonly string[] {
  const present = filesBelow(join(root, 'docs/reference'), () => true)
  const stale = present
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((file) => !pages.has(file))
  const different = [...pages].filter(([file, text]) => {
    const path = join(root, file)
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
  return [...different.map(([file]) => file), ...stale].sort()
}

/** Writes the outdated files, and removes those that are no longer generated. Returns them. */
export function writePages(root: string, pages: ReadonlyMap<string, string>): readonly string[] {
  const outdated = outdatedPages(root, pages)
  for (const file of outdated) {
    const path = join(root, file)
    const text = pages.get(file)
    if (text === undefined) {
      rmSync(path)
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return outdated
}
