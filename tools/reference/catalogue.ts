import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Entries } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/transport/operation'
import type * as v from 'valibot'
import { type Descriptions, describe, describedFiles } from '../build/descriptions.ts'
import { layerOf } from '../check/layers.ts'
import operations from '../operations/operations.json' with { type: 'json' }
import { type Package, packagesOf } from '../workspace.ts'
import { type Example, examplesOfPackage } from './examples.ts'
import { partsOf } from './schema-parts.ts'

/** An operation with all that is known of it. */
export interface Operation {
  readonly shape: OperationShape
  /** What the specification calls it; undefined where it does not name it. */
  readonly specified: string | undefined
  readonly told: Descriptions['operations'][string]
  readonly example: Example | undefined
}

/** A group of operations: the namespace that its package exports. */
export interface Group {
  readonly name: string
  /** The package's short name, such as `cards`. */
  readonly packageName: string
  /** The subpath of its own, such as `promo-code-cards`. */
  readonly subpath: string
  readonly operations: readonly Operation[]
}

/** A record: what an answer holds. */
export interface RecordOf {
  readonly name: string
  readonly entries: Entries
  readonly summary: string
  readonly fields: Readonly<Record<string, string>>
}

/** All that the reference shows, read from the sources. */
export interface Catalogue {
  readonly packages: readonly { readonly name: string; readonly description: string }[]
  /** In the order of the table of operations. */
  readonly groups: readonly Group[]
  readonly recordOf: (schema: v.GenericSchema) => RecordOf | undefined
  /** Operations that tell too little to be shown. */
  readonly problems: readonly string[]
}

/** What a module exports. */
export type Exports = Readonly<Record<string, unknown>>

/** The short name of a package. */
export function shortName({ manifest }: Package): string {
  return manifest.name.replace('@mintmark/', '')
}

export async function importModule(file: string): Promise<Exports> {
  return await import(file)
}

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'function' && 'path' in value && 'door' in value
}

/** The records among what the sources of some packages export, by their schema. */
async function recordsOf(
  packages: readonly Package[],
  descriptions: Descriptions,
): Promise<ReadonlyMap<unknown, RecordOf>> {
  const records = new Map<unknown, RecordOf>()
  for (const { folder } of packages) {
    for (const file of globSync('src/*.ts', { cwd: folder }).sort()) {
      if (/\.test(-d)?\.ts$/.test(file)) continue
      for (const [name, value] of Object.entries(await importModule(join(folder, file)))) {
        const told = descriptions.records[name]
        if (told === undefined || value === null || typeof value !== 'object') continue
        // What has the name of a described record is that record's schema.
        const { entries } = partsOf(value as v.GenericSchema)
        if (entries !== undefined) records.set(value, { name, entries, ...told })
      }
    }
  }
  return records
}

/** The subpath of a package whose module has the operations of a group. */
async function subpathOf({ folder, manifest }: Package, group: unknown): Promise<string | undefined> {
  const [first] = Object.values(Object(group)).filter(isOperation)
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === 'string' || subpath === '.') continue
    const source = target['@mintmark/source']
    if (source === undefined) continue
    const found = Object.values(await importModule(join(folder, source)))
    if (first !== undefined && found.includes(first)) return subpath.replace('./', '')
  }
  return undefined
}

/** Reads the operations, records and docstrings of every domain package, and the examples of the pages of `docs/`. */
export async function readCatalogue(root: string): Promise<Catalogue> {
  const all = packagesOf(root)
  const domains = all.filter(({ manifest }) => layerOf(manifest) === 'domain')
  const { descriptions, problems } = describe(describedFiles(all), root)
  const records = await recordsOf(
    all.filter(({ manifest }) => ['domain', 'core'].includes(layerOf(manifest) ?? '')),
    descriptions,
  )
  const groups: Group[] = []
  for (const packageName of new Set(operations.map((row) => row.package))) {
    const found = domains.find((each) => shortName(each) === packageName)
    if (found === undefined)
      throw new Error(`operations.json names a package that is not there: ${packageName}`)
    const main = await importModule(join(found.folder, 'src/index.ts'))
    const examples = examplesOfPackage(root, packageName)
    const rows = operations.filter((row) => row.package === packageName)
    for (const name of new Set(rows.map(({ id }) => id.split('.')[0] ?? ''))) {
      const members = rows.flatMap(({ id, name: specified }): Operation[] => {
        const [group, operation = ''] = id.split('.')
        const shape = Object(main[name])[operation]
        const told = descriptions.operations[id]
        if (group !== name || !isOperation(shape) || told === undefined) return []
        return [
          { shape, told, example: examples.get(id), specified: specified === '–' ? undefined : specified },
        ]
      })
      groups.push({
        name,
        packageName,
        subpath: (await subpathOf(found, main[name])) ?? '',
        operations: members,
      })
    }
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
