// The places where existing files name a group. Each function takes a file's text and returns it with the
// group added.

function lastIndexOf(text: string, mark: string): number {
  const index = text.lastIndexOf(mark)
  if (index < 0) throw new Error(`There is no ${mark} in a file that lists groups:\n${text}`)
  return index
}

function appendToLastList(text: string, entry: string): string {
  const end = lastIndexOf(text, ']')
  const before = text.slice(0, end).trimEnd()
  const comma = /[[,]$/.test(before) ? '' : ','
  return `${before}${comma}\n${entry},\n${text.slice(end)}`
}

/** A module whose last list has what others export: the routes and samples that are spread into it. */
export function withEntry(text: string, name: string, module: string, entry: string): string {
  return `import { ${name} } from '${module}'\n${appendToLastList(text, entry)}`
}

/** The module that lists the migrations. */
export function withMigration(text: string, id: string): string {
  return appendToLastList(text, `'${id}'`)
}

/** The module that makes one interface of all tables. */
export function withTables(text: string, name: string, module: string): string {
  const end = lastIndexOf(text, '{}')
  return `import type { ${name} } from '${module}'\n${text.slice(0, end).trimEnd()}, ${name} ${text.slice(end)}`
}

/** A package's main module. */
export function withExports(text: string, group: string, types: readonly string[], module: string): string {
  return `${text}export type { ${types.join(', ')} } from '${module}'\nexport * as ${group} from '${module}'\n`
}

/** A package.json, with a subpath for the group before the one for itself. */
export function withSubpath(text: string, subpath: string): string {
  const manifest: { exports?: Record<string, unknown> } = JSON.parse(text)
  const { './package.json': own, ...entries } = manifest.exports ?? {}
  const entry = {
    '@mintmark/source': `./src/${subpath}.ts`,
    types: { require: `./dist/${subpath}.d.cts`, default: `./dist/${subpath}.d.ts` },
    default: `./dist/${subpath}.js`,
  }
  const exports = { ...entries, [`./${subpath}`]: entry, './package.json': own }
  return `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`
}

/** A row of the table of operations. */
export interface OperationRow {
  readonly package: string
  readonly id: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly source: string
}

const OPERATION =
  /id: '(?<id>.+)',\s+method: '(?<method>.+)',\s+path: '(?<path>.+)',\s+source: '(?<source>.+)'/g

/**
 * The table of operations, with the operations of a module after the last one of their package, or at its
 * end.
 */
export function withRows(text: string, folder: string, module: string): string {
  const table: OperationRow[] = JSON.parse(text)
  const rows = [...module.matchAll(OPERATION)].map(({ groups }) => {
    const { id = '', method = '', path = '', source = '' } = groups ?? {}
    return { package: folder, id, name: '–', method, path, source }
  })
  const last = table.findLastIndex((row) => row.package === folder)
  const all = table.toSpliced(last < 0 ? table.length : last + 1, 0, ...rows)
  // Each row is a line, which Biome keeps.
  return `[\n${all.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}
