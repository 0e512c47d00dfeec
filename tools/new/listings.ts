// Where a group is named in files that are there already. Each function takes a file's text and answers it with the group in it.

/** What a function here looks for is not there: the file has changed since this was written. */
export class Unexpected extends Error {}

/** A module that lists what others export: one value a module (migrations), or lists of them that are spread (routes, samples). */
export function withEntry(text: string, name: string, from: string): string {
  const end = text.lastIndexOf('\n]')
  if (end < 0) throw new Unexpected('it has no list that ends in a line of its own')
  const spread = /\.\.\.\w+,$/.test(text.slice(0, end)) ? '...' : ''
  return `import { ${name} } from '${from}'\n${text.slice(0, end)}\n${spread}${name},${text.slice(end)}`
}

/** The module that makes one interface of all tables. */
export function withTables(text: string, name: string, from: string): string {
  const end = text.lastIndexOf('{}')
  if (end < 0) throw new Unexpected('it has no interface without fields of its own')
  return `import type { ${name} } from '${from}'\n${text.slice(0, end).trimEnd()}, ${name} ${text.slice(end)}`
}

/** A package's main module. */
export function withExports(text: string, group: string, record: string, from: string): string {
  return `${text}export type { ${record} } from '${from}'\nexport * as ${group} from '${from}'\n`
}

/** A package.json, with a subpath for the group before the one for itself. */
export function withSubpath(text: string, subpath: string): string {
  const manifest: { exports?: Record<string, unknown> } = JSON.parse(text)
  const { './package.json': own, ...entries } = manifest.exports ?? {}
  if (own === undefined) throw new Unexpected('it does not export itself')
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

/** The table of operations, with further rows after the last one of their package. */
export function withRows(text: string, rows: readonly OperationRow[]): string {
  const table: OperationRow[] = JSON.parse(text)
  const last = table.findLastIndex((row) => row.package === rows[0]?.package)
  return `${JSON.stringify(table.toSpliced(last + 1, 0, ...rows), null, 2)}\n`
}

/**
 * A package's README. Where its table of operations names their groups, the rows join it; where the groups of the package share rows,
 * a table of their own follows it. The subpath joins the sentence that tells them.
 */
export function withReadmeRows(text: string, rows: string, group: string, subpath: string): string {
  const head = '| operation | what it does | scope |\n|---|---|---|\n'
  const table = new RegExp(`^${head.replaceAll('|', '\\|')}(?:\\|.*\n)+`, 'm').exec(text)
  if (table === null) throw new Unexpected('it has no table of operations')
  const end = table.index + table[0].length
  const named = /^\| `\w+\.\w+`/m.test(table[0])
  const added = named ? rows : `\n\`${group}\` has others:\n\n${head}${rows}`
  const whole = text.slice(0, end) + added + text.slice(end)
  return whole.replace(/(also a\s+subpath:[^.]*`)\./, (_, told: string) => `${told}, \`/${subpath}\`.`)
}
