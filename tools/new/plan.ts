import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { filesBelow, packagesOf, packagesOfLayer, shortName } from '../workspace.ts'
import {
  type OperationRow,
  withEntry,
  withExports,
  withMigration,
  withRows,
  withSubpath,
  withTables,
} from './listings.ts'
import { listReplacements, listTemplateNames, type Names, PlanError, replaceWords, toNames } from './names.ts'

const SERVER = 'packages/gateway-server/src'
const OPERATIONS = 'tools/operations/operations.json'
const TEMPLATE = join(import.meta.dirname, 'template')

/**
 * What a new group writes: texts by their paths from the repository's root, with slashes. Nothing is written
 * yet.
 */
export interface Plan {
  readonly names: Names
  /** New files. */
  readonly created: ReadonlyMap<string, string>
  /** Existing files, with the group in them. */
  readonly changed: ReadonlyMap<string, string>
}

/**
 * Plans everything that a new group of records needs in a checkout. Throws a PlanError if it cannot be
 * generated.
 */
export function planGroup(root: string, folder: string, group: string, record?: string): Plan {
  const domains = listGatewayDomains(root)
  if (!domains.includes(folder))
    throw new PlanError(
      `The gateway serves ${domains.join(', ')}, and no package "${folder}". tools/README.md describes how to add one`,
    )
  const names = toNames(group, record)
  const { camel, kebab, one } = names
  const migration = nextMigration(root)
  const table: readonly OperationRow[] = JSON.parse(readFileSync(join(root, OPERATIONS), 'utf8'))
  refuseTakenNames(root, names, table)
  const words = listReplacements(names, { folder, path: findPath(folder, table), migration })
  const created = readTemplate('template', words)
  const existing = [...created.keys()].find((path) => existsSync(join(root, path)))
  if (existing !== undefined) throw new PlanError(`${existing} already exists`)

  const changed = new Map<string, string>()
  /** Adds the group to a file that must not contain these names yet. */
  const change = (path: string, added: readonly string[], edit: (text: string) => string) => {
    const text = readFileSync(join(root, path), 'utf8')
    const known = added.find((name) => new RegExp(`\\b${name}\\b`).test(text))
    if (known !== undefined) throw new PlanError(`${path} already has the name ${known}`)
    changed.set(path, edit(text))
  }
  const list = (path: string, name: string, module: string, entry: string) =>
    change(`${SERVER}/${path}`, [name], (text) => withEntry(text, name, module, entry))

  const source = created.get(`packages/${folder}/src/${kebab}.ts`) ?? ''
  const types = [...source.matchAll(/export (?:interface|type) (\w+)/g)].map(([, name = '']) => name).sort()
  change(`packages/${folder}/src/index.ts`, [camel, ...types], (text) =>
    withExports(text, camel, types, `./${kebab}.ts`),
  )
  change(`packages/${folder}/package.json`, [], (text) => withSubpath(text, kebab))
  change(OPERATIONS, [], (text) => withRows(text, folder, source))
  for (const [path, section] of readTemplate('section', words)) change(path, [], (text) => text + section)
  const [routes, samples] = [`${one.camel}Routes`, `${one.camel}Samples`]
  list(`domains/${folder}/routes.ts`, routes, `./${kebab}.ts`, `...${routes}`)
  list('testing/samples/index.ts', samples, `./${kebab}.ts`, `...${samples}`)
  change(`${SERVER}/database/migrations.ts`, [kebab], (text) => withMigration(text, `${migration}-${kebab}`))
  change(`${SERVER}/database/tables.ts`, [`${one.pascal}Tables`], (text) =>
    withTables(text, `${one.pascal}Tables`, `./tables/${kebab}.ts`),
  )
  return { names, created, changed }
}

function readTemplateNames(): ReadonlySet<string> {
  const modules = filesBelow(TEMPLATE, (path) => path.endsWith('.ts.template'))
  return listTemplateNames(modules.map((file) => readFileSync(file, 'utf8')))
}

/**
 * Throws a PlanError if a name of a group belongs to another group, to a package or to what is generated for
 * every group.
 */
function refuseTakenNames(root: string, { camel, kebab, one }: Names, table: readonly OperationRow[]): void {
  const row = table.find(({ id }) => id.startsWith(`${camel}.`))
  if (row !== undefined) throw new PlanError(`@mintmark/${row.package} already has the group ${camel}`)
  if (packagesOf(root).some((each) => shortName(each) === kebab))
    throw new PlanError(`"${kebab}" is the name of a package. Choose another group`)
  const used = readTemplateNames()
  const name = [camel, one.camel, one.pascal].find((each) => used.has(each))
  if (name !== undefined)
    throw new PlanError(
      `Generated code already uses the name ${name}. Choose another group or another singular`,
    )
}

/**
 * Reads the template's new files (`.template`) or its sections for the end of existing documents
 * (`.section`), with other words.
 */
function readTemplate(
  kind: 'template' | 'section',
  words: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const files = filesBelow(TEMPLATE, (path) => path.endsWith(`.${kind}`))
  return new Map(
    files.map((file) => {
      const path = relative(TEMPLATE, file).split(sep).join('/').slice(0, -`.${kind}`.length)
      return [replaceWords(path, words), replaceWords(readFileSync(file, 'utf8'), words)]
    }),
  )
}

/** The packages whose groups the gateway serves, by their folders. */
export function listGatewayDomains(root: string): readonly string[] {
  return packagesOfLayer(root, 'domain')
    .map(shortName)
    .filter((name) => existsSync(join(root, SERVER, 'domains', name, 'routes.ts')))
}

/** The path that a package's operations begin with: `/api/v1/card/` for cards. */
function findPath(folder: string, table: readonly OperationRow[]): string {
  const row = table.find((each) => each.package === folder)
  return /^\/api\/v1\/[^/]+\//.exec(row?.path ?? '')?.[0] ?? `/api/v1/${folder}/`
}

/** The number after the highest: `0012`. */
function nextMigration(root: string): string {
  const numbers = readdirSync(join(root, SERVER, 'database/migrations')).map(
    (file) => Number.parseInt(file, 10) || 0,
  )
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0')
}
