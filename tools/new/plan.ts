import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'
import { layerOf } from '../check/layers.ts'
import { filesBelow, packagesOf } from '../workspace.ts'
import {
  type OperationRow,
  Unexpected,
  withEntry,
  withExports,
  withReadmeRows,
  withRows,
  withSubpath,
  withTables,
} from './listings.ts'
import { NameProblem, type Names, namesOf, replaced, replacements } from './names.ts'

const TEMPLATE = join(import.meta.dirname, 'template')
const SERVER = 'packages/gateway-server/src'
const OPERATIONS = 'tools/operations/operations.json'

/** What a new group writes: texts by their paths from the repository's root, with slashes. Nothing is written yet. */
export interface Plan {
  readonly names: Names
  /** Files that are new. */
  readonly created: ReadonlyMap<string, string>
  /** Files that are there and get the group into them. */
  readonly changed: ReadonlyMap<string, string>
}

/** A group that cannot be made; its text says why. */
export class GroupProblem extends Error {}

/** Everything that a new group of records needs, or a problem that says why there cannot be one. */
export function planGroup(root: string, folder: string, group: string, record?: string): Plan {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  refuseOtherPackages(root, folder)
  const names = namesOf(group, record)
  const rows: readonly OperationRow[] = JSON.parse(read(OPERATIONS))
  const words = replacements(names, {
    folder,
    path: pathsOf(folder, rows),
    migration: nextMigration(root),
  })
  const templates = filesBelow(TEMPLATE, () => true).map((file) => {
    const path = relative(TEMPLATE, file).split(sep).join('/')
    const [, target = path, kind] = /^(.*)\.(\w+)$/.exec(path) ?? []
    return { target: replaced(target, words), kind, text: readFileSync(file, 'utf8') }
  })
  const ofKind = (wanted: string) => templates.filter(({ kind }) => kind === wanted)

  const created = new Map(ofKind('template').map(({ target, text }) => [target, replaced(text, words)]))
  refuseTaken(root, names, [...created.keys()], rows)
  refuseUsed(
    names,
    ofKind('template').filter(({ target }) => target.endsWith('.ts')),
  )

  const changed = new Map<string, string>()
  /** Puts something into a file that is there, which must not know the given names yet. */
  const change = (path: string, added: readonly string[], edit: (text: string) => string) => {
    const text = read(path)
    const known = added.find((name) => new RegExp(`\\b${name}\\b`).test(text))
    if (known !== undefined) throw new GroupProblem(`${path} has the name ${known} already.`)
    try {
      changed.set(path, edit(text))
    } catch (error) {
      if (!(error instanceof Unexpected)) throw error
      throw new GroupProblem(`${path} is not as the generator knows it: ${error.message}.`)
    }
  }
  const { camel, kebab, one } = names
  const list = (path: string, name: string, from: string) =>
    change(path, [name], (text) => withEntry(text, name, from))
  change(`packages/${folder}/src/index.ts`, [camel, one.pascal], (text) =>
    withExports(text, camel, one.pascal, `./${kebab}.ts`),
  )
  change(`packages/${folder}/package.json`, [], (text) => withSubpath(text, kebab))
  for (const { target, text } of ofKind('rows')) {
    const rows = replaced(text, words)
    change(target, [], (there) =>
      target === OPERATIONS ? withRows(there, JSON.parse(rows)) : withReadmeRows(there, rows, camel, kebab),
    )
  }
  for (const { target, text } of ofKind('section')) {
    change(target, [], (document) => document + replaced(text, words))
  }
  list(`${SERVER}/groups/${folder}/routes.ts`, `${one.camel}Routes`, `./${kebab}.ts`)
  list(`${SERVER}/testing/samples/index.ts`, `${one.camel}Samples`, `./${kebab}.ts`)
  list(`${SERVER}/migrations/index.ts`, `${one.camel}Table`, `./${nextMigration(root)}-${kebab}.ts`)
  const tables = `${one.pascal}Tables`
  change(`${SERVER}/tables.ts`, [tables], (text) => withTables(text, tables, `./tables/${kebab}.ts`))
  return { names, created, changed }
}

function refuseOtherPackages(root: string, folder: string): void {
  const domains = packagesOf(root)
    .filter(({ manifest }) => layerOf(manifest) === 'domain')
    .map(({ manifest }) => manifest.name.replace('@mintmark/', ''))
  const served = domains.filter((name) => existsSync(join(root, SERVER, 'groups', name, 'routes.ts')))
  if (served.includes(folder)) return
  if (folder === 'facilitator') {
    throw new GroupProblem(
      `The generator makes groups of the gateway: ${served.join(', ')}. A group of the facilitator is made after one that is there: ` +
        'packages/facilitator/src/micropayment-orders.ts for the client, ' +
        'packages/facilitator-server/src/groups/micropayment-orders.ts and src/orders for the server.',
    )
  }
  throw new GroupProblem(
    `The gateway serves no package "${folder}". Its packages are ${served.join(', ')}; how a new one comes to be stands in tools/README.md.`,
  )
}

/** Where a package's operations stand: `/api/v1/card/` for cards. */
function pathsOf(folder: string, rows: readonly OperationRow[]): string {
  const row = rows.find((each) => each.package === folder)
  return /^\/api\/v1\/[^/]+\//.exec(row?.path ?? '')?.[0] ?? `/api/v1/${folder}/`
}

/** The number after the highest: `0012`. */
function nextMigration(root: string): string {
  const numbers = readdirSync(join(root, SERVER, 'migrations')).map((file) => Number.parseInt(file, 10) || 0)
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0')
}

function refuseTaken(
  root: string,
  names: Names,
  paths: readonly string[],
  rows: readonly OperationRow[],
): void {
  const taken = paths.find((path) => existsSync(join(root, path)))
  if (taken !== undefined) throw new GroupProblem(`${taken} is there already.`)
  const row = rows.find(({ id }) => id.startsWith(`${names.camel}.`))
  if (row !== undefined) throw new GroupProblem(`@mintmark/${row.package} has the group ${names.camel}.`)
  const table = new RegExp(`\\btable gateway\\.${names.snake}\\b`)
  const migration = filesBelow(join(root, SERVER, 'migrations'), () => true).find((file) =>
    table.test(readFileSync(file, 'utf8')),
  )
  if (migration !== undefined) {
    throw new GroupProblem(`${relative(root, migration)} makes a table gateway.${names.snake}.`)
  }
}

/** Refuses names that the group's own code gives to something else. */
function refuseUsed(names: Names, templates: readonly { readonly text: string }[]): void {
  const used = new Set<string>()
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text)
    ts.forEachChild(node, collect)
  }
  for (const { text } of templates) collect(ts.createSourceFile('group.ts', text, ts.ScriptTarget.ESNext))
  // The template's own group may be made, here or in a test.
  for (const own of ['giftCards', 'giftCard', 'GiftCard']) used.delete(own)
  const clash = [names.camel, names.one.camel, names.one.pascal].find((name) => used.has(name))
  if (clash !== undefined) throw new NameProblem(`"${clash}" stands for something else in a group's code.`)
}
