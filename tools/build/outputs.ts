import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import remapping from '@jridgewell/remapping'
import MagicString from 'magic-string'
import { filesBelow, type Package } from '../workspace.ts'
import { purityOf } from './pure.ts'

/** Whether a file is copied, or made by a bundler: it has no source of the same name. */
const isAsset = (path: string) => ['assets', 'site'].some((folder) => path.includes(`${sep}${folder}${sep}`))

/** Writes a file in one step, so that no reader sees half of it. */
export function replaceFile(path: string, content: string): void {
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, content)
  renameSync(temporary, path)
}

/**
 * Annotates the calls at the top level of a package's built modules as pure. Files that are annotated already
 * stay as they are. Returns statements that cannot be annotated, as `file:line: what`.
 */
export function annotatePackage({ folder, manifest }: Package): readonly string[] {
  // Programs do something when they are loaded, and no bundler reads them.
  const programs = Object.values(manifest.bin ?? {}).map((path) => join(folder, path))
  const modules = filesBelow(
    `${folder}/dist`,
    (path) => path.endsWith('.js') && !isAsset(path) && !programs.includes(path),
  )
  return modules.flatMap((path) => {
    const code = readFileSync(path, 'utf8')
    const { edits, problems } = purityOf(code, path)
    if (edits.length > 0) {
      const annotated = new MagicString(code)
      for (const { at, text } of edits) annotated.appendLeft(at, text)
      const own = annotated.generateMap({ hires: 'boundary', source: basename(path) }).toString()
      const map = remapping([own, readFileSync(`${path}.map`, 'utf8')], () => null)
      replaceFile(`${path}.map`, JSON.stringify({ ...map, file: basename(path) }))
      replaceFile(path, annotated.toString())
    }
    return problems.map((problem) => `${relative(process.cwd(), path)}:${problem}`)
  })
}

/**
 * Writes the declarations of a package for CommonJS. They re-export those of the ES modules, which Node's
 * `require` loads. The compiler would refuse that with `module: node16`.
 */
export function writeCommonJsTypes({ folder, manifest }: Package): void {
  for (const targets of Object.values(manifest.exports ?? {})) {
    if (typeof targets === 'string' || typeof targets.types !== 'object') continue
    const { require, default: declarations } = targets.types
    const module = basename(declarations).replace(/\.d\.ts$/, '.js')
    replaceFile(join(folder, require), `// @ts-ignore\nexport * from './${module}'\n`)
  }
}

/** Copies the SQL files of a package's sources next to the modules that read them. */
export function copySqlFiles({ folder }: Package): void {
  for (const source of filesBelow(join(folder, 'src'), (path) => path.endsWith('.sql'))) {
    const target = join(folder, 'dist', relative(join(folder, 'src'), source))
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(source, target)
  }
}

/**
 * Removes what was built from a source that no longer exists. The compiler leaves it, and the package would
 * contain it.
 */
export function removeStale({ folder }: Package): readonly string[] {
  const built = /\.(?:(?:js|d\.c?ts)(?:\.map)?|sql)$/
  const source = (path: string) =>
    path
      .replace(`${folder}${sep}dist`, `${folder}${sep}src`)
      .replace(built, path.endsWith('.sql') ? '.sql' : '.ts')
  const files = filesBelow(`${folder}/dist`, (path) => built.test(path) && !isAsset(path))
  const stale = files.filter((path) => !existsSync(source(path)))
  for (const path of stale) rmSync(path)
  return stale
}
