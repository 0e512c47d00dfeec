// The places where existing files name a group. Each function takes a file's text and returns it with the group added.
import { Problem } from './problem.ts'

function lastOf(text: string, mark: string): number {
  const at = text.lastIndexOf(mark)
  if (at < 0) throw new Problem(`There is no ${mark} in a file that a group is listed in:\n${text}`)
  return at
}

/** A module that ends with a list of what others export: migrations, or the routes and samples that are spread into it. */
export function withEntry(text: string, name: string, module: string, entry: string): string {
  const end = lastOf(text, ']')
  const before = text.slice(0, end).trimEnd()
  const comma = /[[,]$/.test(before) ? '' : ','
  return `import { ${name} } from '${module}'\n${before}${comma}\n${entry},\n${text.slice(end)}`
}

/** The module that makes one interface of all tables. */
export function withTables(text: string, name: string, module: string): string {
  const end = lastOf(text, '{}')
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
    types: `./dist/${subpath}.d.ts`,
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

/** The table of operations, with further rows after the last one of their package; at its end where they are the first. */
export function withRows(text: string, rows: readonly OperationRow[]): string {
  const table: OperationRow[] = JSON.parse(text)
  const last = table.findLastIndex((row) => row.package === rows[0]?.package)
  const at = last < 0 ? table.length : last + 1
  return `${JSON.stringify(table.toSpliced(at, 0, ...rows), null, 2)}\n`
}

/**
 * A package's README. Where its table of operations names their groups, the rows join it; where the groups of the package share rows,
 * a table of their own follows it; the first group's begins it. The subpath is added to the sentence that lists them.
 */
export function withReadmeRows(text: string, rows: string, group: string, subpath: string): string {
  const head = '| operation | what it does | scope |\n|---|---|---|\n'
  const table = new RegExp(`^${head.replaceAll('|', '\\|')}(?:\\|.*\n)+`, 'm').exec(text)
  if (table === null) return `${text}\n${head}${rows}`
  const end = table.index + table[0].length
  const named = /^\| `\w+\.\w+`/m.test(table[0])
  const added = named ? rows : `\n\`${group}\` has others:\n\n${head}${rows}`
  const whole = text.slice(0, end) + added + text.slice(end)
  return whole.replace(/(also a\s+subpath:[^.]*`)\./, (_, list: string) => `${list}, \`/${subpath}\`.`)
}
