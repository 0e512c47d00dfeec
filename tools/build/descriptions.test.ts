import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { describe as describeSources } from './descriptions.ts'

const imports = `
  import { type Schema, record } from '@mintmark/envelope'
  import { gatewayOperation, pagedFacilitatorOperation } from '@mintmark/operation'
  import * as v from 'valibot'
  import { sharedFields } from './shared.ts'
`
const index = `${imports}
  const card = record({
    ...sharedFields,
    /** Total supply. */
    total: v.number(),
    plain: v.number(),
  })
  /** A card. */
  export interface Card extends v.InferOutput<typeof card> {}
  export const Card: Schema<Card> = card
  const address = { method: 'GET', path: '/', source: 'own' } as const
  /**
   * One card,
   * and no more.
   *
   * A second paragraph.
   *
   * @example
   * const card = await get(client, { id: '7' })
   */
  export const get = gatewayOperation({
    ...address,
    id: 'cards.get',
    params: { /** The card's id. */ id: v.string() },
    body: sharedFields,
    data: Card,
  })
  /**
   * All cards.
   *
   * @example for await (const card of list.items(client)) console.log(card.name)
   */
  export const list = pagedFacilitatorOperation({ ...address, id: 'cards.list', query: { ...sharedFields }, item: Card })
`
const shared = `
  import * as v from 'valibot'
  export const sharedFields = { /** Its name. */ name: v.optional(v.string()) }
`

/**
 * Describes modules, by their names. One call compiles them together, because each compilation reads the
 * libraries.
 */
function describeModules(modules: Readonly<Record<string, string>>) {
  const files = Object.entries(modules).map(([name, text]) => [`src/${name}.ts`, text] as const)
  using scratch = scratchFolder({
    ...Object.fromEntries(files),
    'src/shared.ts': shared,
    'package.json': { type: 'module' },
  })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(scratch.root, 'node_modules'))
  return describeSources(
    files.map(([path]) => join(scratch.root, path)),
    scratch.root,
  )
}

it('reads the docstrings of operations, fields and records, also through spreads and from other files', () => {
  const page = {
    cursor: expect.any(String),
    orderBy: expect.any(String),
    pageNumber: expect.any(String),
    pageSize: expect.any(String),
  }
  expect(describeModules({ index })).toEqual({
    descriptions: {
      operations: {
        'cards.get': {
          summary: 'One card, and no more.\n\nA second paragraph.',
          fields: { id: "The card's id.", name: 'Its name.' },
          record: 'Card',
        },
        'cards.list': { summary: 'All cards.', fields: { name: 'Its name.', ...page }, record: 'Card' },
      },
      records: { Card: { summary: 'A card.', fields: { total: 'Total supply.', name: 'Its name.' } } },
    },
    problems: [],
  })
})

it('reads the docstrings of nested objects and of an answer without a name', () => {
  const text = `${imports}
    /** Sets the phases. */
    export const set = gatewayOperation({
      id: 'phases.set',
      method: 'PUT',
      path: '/',
      source: 'own',
      body: {
        /** All of them. */
        phases: v.array(v.strictObject({
          /** Of one. */
          price: v.string(),
          window: v.optional(v.strictObject({
            /** When it opens. */
            from: v.string(),
          })),
        })),
      },
      data: v.looseObject({
        /** The number of phases. */
        count: v.number(),
      }),
    })`
  expect(describeModules({ text }).descriptions.operations).toEqual({
    'phases.set': {
      summary: 'Sets the phases.',
      fields: { phases: 'All of them.', 'phases.price': 'Of one.', 'phases.window.from': 'When it opens.' },
      answer: { count: 'The number of phases.' },
    },
  })
})

it('reports an operation without a docstring, without an @example in it, and with an empty @example', () => {
  const example = /@example for await.*/
  const modules = {
    undocumented: index.replace('All cards.', ''),
    plain: index.replace(example, ''),
    empty: index.replace(example, '@example'),
  }
  expect(describeModules(modules).problems).toEqual([
    'src/undocumented.ts: list has no docstring',
    'src/plain.ts: list has no @example in its docstring',
    'src/empty.ts: list has no @example in its docstring',
  ])
})

it('reads what replaces a deprecated operation', () => {
  const source = `${imports}
    const shape = { method: 'GET', path: '/', source: 'own', data: v.null_() } as const
    /**
     * One card.
     *
     * @deprecated Use \`cards.read\`, which
     * has all fields.
     * @example await get(client)
     */
    export const get = gatewayOperation({ ...shape, id: 'cards.get' })
    /** @deprecated
     * @example await old(client)
     */
    export const old = gatewayOperation({ ...shape, id: 'cards.old' })
    /** Another one. @example await other(client) */
    export const other = gatewayOperation({ ...shape, id: 'cards.other' })
  `
  const { operations } = describeModules({ index: source }).descriptions
  expect(operations['cards.get']).toMatchObject({
    summary: 'One card.\n\nDeprecated. Use `cards.read`, which has all fields.',
    deprecated: true,
  })
  expect(operations['cards.old']).toMatchObject({ summary: 'Deprecated.', deprecated: true })
  expect(operations['cards.other']).not.toHaveProperty('deprecated')
})
