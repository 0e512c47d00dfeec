import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Entries } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import { type Descriptions, describe, describedFiles } from '../../../tools/build/descriptions.ts'
import operations from '../../../tools/operations/operations.json' with { type: 'json' }
import { type Package, packagesOfLayer, shortName } from '../../../tools/workspace.ts'
import { partsOf } from './schemas.ts'
import { type Example, examplesOf } from './sources.ts'

/** An operation with everything that is documented about it. */
export interface Operation {
  readonly shape: OperationShape
  /** Its name in the specification, if it is there. */
  readonly specified: string | undefined
  readonly docs: Descriptions['operations'][string]
  readonly example: Example | undefined
}

/** A group of operations: a namespace that its package exports. */
export interface Group {
  readonly name: string
  /** The package's short name, such as `cards`. */
  readonly packageName: string
  /** Its own entry, such as `promo-code-cards`. */
  readonly subpath: string
  readonly operations: readonly Operation[]
}

export interface RecordOf {
  readonly name: string
  readonly entries: Entries
  readonly summary: string
  readonly fields: Readonly<Record<string, string>>
}

/** Everything that the reference shows, as data. */
export interface Catalog {
  readonly packages: readonly { readonly name: string; readonly description: string }[]
  /** In the order of the table of operations. */
  readonly groups: readonly Group[]
  readonly recordOf: (schema: v.GenericSchema) => RecordOf | undefined
  /** Operations without a docstring or an id. */
  readonly problems: readonly string[]
}

type Exports = Readonly<Record<string, unknown>>

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'function' && 'path' in value && 'service' in value
}

/** The records among the exports of the packages' modules, by their schema. */
async function readRecords(
  packages: readonly Package[],
  { records }: Descriptions,
): Promise<ReadonlyMap<unknown, RecordOf>> {
  const found = new Map<unknown, RecordOf>()
  for (const { folder } of packages) {
    for (const file of globSync('src/*.ts', { cwd: folder }).sort()) {
      if (/\.test(-d)?\.ts$/.test(file)) continue
      const exports: Exports = await import(join(folder, file))
      for (const [name, value] of Object.entries(exports)) {
        const docs = records[name]
        if (docs === undefined || value === null || typeof value !== 'object') continue
        // A value with the name of a record is its schema.
        const { entries } = partsOf(value as v.GenericSchema)
        if (entries !== undefined) found.set(value, { name, entries, ...docs })
      }
    }
  }
  return found
}

/** Reads the operations, records and docstrings of every domain package, and the examples of `docs/`. */
export async function readCatalog(root: string): Promise<Catalog> {
  const domains = packagesOfLayer(root, 'domain')
  const { descriptions, problems } = describe(describedFiles(root), root)
  const records = await readRecords(packagesOfLayer(root, 'domain', 'vocabulary', 'core'), descriptions)
  const groups: Group[] = []
  for (const [name, rows] of Map.groupBy(operations, ({ id }) => id.split('.')[0] ?? '')) {
    const packageName = rows[0]?.package ?? ''
    const folder = domains.find((each) => shortName(each) === packageName)?.folder
    if (folder === undefined) throw new Error(`operations.json names a missing package: ${packageName}`)
    const main: Exports = await import(join(folder, 'src/index.ts'))
    const examples = examplesOf(root, packageName)
    const members = rows.flatMap(({ id, name: specified }): Operation[] => {
      const shape = Object(main[name])[id.slice(name.length + 1)]
      const docs = descriptions.operations[id]
      if (!isOperation(shape) || docs === undefined) return []
      return [
        { shape, docs, example: examples.get(id), specified: specified === '–' ? undefined : specified },
      ]
    })
    const subpath = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    groups.push({ name, packageName, subpath, operations: members })
  }
  return {
    packages: domains.map((each) => ({
      name: shortName(each),
      description: each.manifest.description ?? '',
    })),
    groups,
    recordOf: (schema) => records.get(schema),
    problems,
  }
}
