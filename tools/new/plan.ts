import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow, packagesOfLayer, shortName } from '../workspace.ts'
import {
  type OperationRow,
  withEntry,
  withExports,
  withReadmeRows,
  withRows,
  withSubpath,
  withTables,
} from './listings.ts'
import { type Names, namesOf, replacements } from './names.ts'
import { Problem } from './problem.ts'
import { ambiguousName, type Kind, templateParts, written } from './template.ts'

const SERVER = 'packages/gateway-server/src'
const OPERATIONS = 'tools/operations/operations.json'

/** What a new group writes: texts by their paths from the repository's root, with slashes. Nothing is written yet. */
export interface Plan {
  readonly names: Names
  /** Files that are new. */
  readonly created: ReadonlyMap<string, string>
  /** Files that are there, with the group in them. */
  readonly changed: ReadonlyMap<string, string>
}

/** Everything that a new group of records needs in a checkout, or a problem that says why there cannot be one. */
export function planGroup(root: string, folder: string, group: string, record?: string): Plan {
  refuseOtherPackages(root, folder)
  const names = namesOf(group, record)
  const { camel, kebab, one } = names
  const table: readonly OperationRow[] = JSON.parse(readFileSync(join(root, OPERATIONS), 'utf8'))
  const migration = nextMigration(root)
  const template = templateParts()
  const parts = written(template, replacements(names, { folder, path: pathsOf(folder, table), migration }))
  const ofKind = (kind: Kind) => parts.filter((part) => part.kind === kind)

  const created = new Map(ofKind('template').map(({ path, text }) => [path, text]))
  refuseTaken(root, names, [...created.keys()], table)
  const ambiguous = ambiguousName(template, names)
  if (ambiguous !== undefined) {
    throw new Problem(`"${ambiguous}" already means something else in the code of a group.`)
  }

  const changed = new Map<string, string>()
  /** Puts the group into a file that is there, and that must not know these names yet. */
  const change = (path: string, added: readonly string[], edit: (text: string) => string) => {
    const text = readFileSync(join(root, path), 'utf8')
    const known = added.find((name) => new RegExp(`\\b${name}\\b`).test(text))
    if (known !== undefined) throw new Problem(`${path} has the name ${known} already.`)
    changed.set(path, edit(text))
  }
  const list = (path: string, name: string, module: string, entry: string) =>
    change(path, [name], (text) => withEntry(text, name, module, entry))
  const source = created.get(`packages/${folder}/src/${kebab}.ts`) ?? ''
  const types = [...source.matchAll(/export (?:interface|type) (\w+)/g)].map(([, name = '']) => name).sort()
  change(`packages/${folder}/src/index.ts`, [camel, ...types], (text) =>
    withExports(text, camel, types, `./${kebab}.ts`),
  )
  change(`packages/${folder}/package.json`, [], (text) => withSubpath(text, kebab))
  for (const { path, text: rows } of ofKind('rows')) {
    change(path, [], (text) =>
      path === OPERATIONS ? withRows(text, JSON.parse(rows)) : withReadmeRows(text, rows, camel, kebab),
    )
  }
  for (const { path, text: section } of ofKind('section')) change(path, [], (text) => text + section)
  list(
    `${SERVER}/domains/${folder}/routes.ts`,
    `${one.camel}Routes`,
    `./${kebab}.ts`,
    `...${one.camel}Routes`,
  )
  list(`${SERVER}/testing/samples/index.ts`, `${one.camel}Samples`, `./${kebab}.ts`, `...${one.camel}Samples`)
  list(
    `${SERVER}/migrations/index.ts`,
    `${one.camel}Table`,
    `./${migration}-${kebab}.ts`,
    `${one.camel}Table`,
  )
  change(`${SERVER}/tables.ts`, [`${one.pascal}Tables`], (text) =>
    withTables(text, `${one.pascal}Tables`, `./tables/${kebab}.ts`),
  )
  return { names, created, changed }
}

/** The packages whose groups the gateway serves, by their folders. */
export function gatewayDomains(root: string): readonly string[] {
  return packagesOfLayer(root, 'domain')
    .map(shortName)
    .filter((name) => existsSync(join(root, SERVER, 'domains', name, 'routes.ts')))
}

function refuseOtherPackages(root: string, folder: string): void {
  const domains = gatewayDomains(root)
  if (domains.includes(folder)) return
  if (folder === 'facilitator') {
    throw new Problem(
      `This makes groups of the gateway: ${domains.join(', ')}. A group of the facilitator is written after one that is there: ` +
        'packages/facilitator/src/micropayment-orders.ts and its names in index.ts and package.json, then in ' +
        'packages/facilitator-server/src http/native/micropayment-orders.ts, payments/orders/, migrations/ and tables.ts.',
    )
  }
  throw new Problem(
    `The gateway serves no package "${folder}" but ${domains.join(', ')}. tools/README.md describes how to add one.`,
  )
}

/** Where a package's operations stand: `/api/v1/card/` for cards. */
function pathsOf(folder: string, table: readonly OperationRow[]): string {
  const row = table.find((each) => each.package === folder)
  return /^\/api\/v1\/[^/]+\//.exec(row?.path ?? '')?.[0] ?? `/api/v1/${folder}/`
}

/** The number after the highest: `0012`. */
function nextMigration(root: string): string {
  const numbers = readdirSync(join(root, SERVER, 'migrations')).map((file) => Number.parseInt(file, 10) || 0)
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0')
}

function refuseTaken(
  root: string,
  { camel, snake }: Names,
  paths: readonly string[],
  table: readonly OperationRow[],
): void {
  const row = table.find(({ id }) => id.startsWith(`${camel}.`))
  if (row !== undefined) throw new Problem(`@mintmark/${row.package} has the group ${camel} already.`)
  const taken = paths.find((path) => existsSync(join(root, path)))
  if (taken !== undefined) throw new Problem(`${taken} is there already.`)
  const creation = new RegExp(`\\btable gateway\\.${snake}\\b`)
  const migration = filesBelow(join(root, SERVER, 'migrations'), () => true).find((file) =>
    creation.test(readFileSync(file, 'utf8')),
  )
  if (migration !== undefined) {
    throw new Problem(`${relative(root, migration)} makes a table gateway.${snake} already.`)
  }
}
