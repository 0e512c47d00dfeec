import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationShape } from '@mintmark/operation'
import { beforeAll, describe, expect, it } from 'vitest'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import table from './operations.json' with { type: 'json' }

/** The operations that a package exports, by the name of their group and their own. */
async function operationsOf(folder: string): Promise<Map<string, OperationShape>> {
  const main: Record<string, unknown> = await import(join(folder, 'src/index.ts'))
  const found = new Map<string, OperationShape>()
  for (const [group, members] of Object.entries(main)) {
    if (typeof members !== 'object' || members === null) continue
    for (const [name, member] of Object.entries(members)) {
      // What has a path is an operation; a group also exports records and readers.
      if (typeof member === 'function' && 'path' in member) {
        found.set(`${group}.${name}`, member as unknown as OperationShape)
      }
    }
  }
  return found
}

const domains = packagesOf(repositoryRoot).filter(({ manifest }) =>
  manifest.nx?.tags?.includes('layer:domain'),
)
const operations = new Map<string, Map<string, OperationShape>>()
beforeAll(async () => {
  for (const { folder, manifest } of domains) {
    operations.set(manifest.name.replace('@mintmark/', ''), await operationsOf(folder))
  }
})

const rowsOf = (name: string) => table.filter((row) => row.package === name)

it('the table of operations names the packages that there are', () => {
  expect(new Set(table.map((row) => row.package))).toEqual(new Set(operations.keys()))
  expect(readdirSync(join(repositoryRoot, 'packages'))).toEqual(
    expect.arrayContaining([...operations.keys()]),
  )
})

it('the table of operations states the source of each address, and its name in the specification', () => {
  const sources = ['stated', 'method', 'name', 'added', 'own']
  expect(table.filter(({ source }) => !sources.includes(source))).toEqual([])
  const specified = ['stated', 'method', 'name']
  expect(table.filter((row) => row.name === '–' && specified.includes(row.source))).toEqual([])
  expect(table.filter((row) => row.name !== '–' && row.source === 'own')).toEqual([])
})

it('the table of operations names no operation and no address twice', () => {
  expect(new Set(table.map(({ id }) => id)).size).toBe(table.length)
  expect(new Set(table.map(({ method, path }) => `${method} ${path}`)).size).toBe(table.length)
})

const namesOfDomains = domains.map(({ manifest }) => manifest.name.replace('@mintmark/', ''))
describe.each(namesOfDomains)('%s', (name) => {
  it('a package has its operations as the table says: method, path and source', () => {
    for (const [exported, { id, method, path, source }] of operations.get(name) ?? []) {
      const row = rowsOf(name).find((each) => each.id === exported)
      expect({ id, method, path, source }, exported).toEqual(
        row && { id: exported, method: row.method, path: row.path, source: row.source },
      )
    }
  })

  it('a package has every operation of the table', () => {
    expect([...(operations.get(name)?.keys() ?? [])].sort()).toEqual(
      rowsOf(name)
        .map(({ id }) => id)
        .sort(),
    )
  })
})
