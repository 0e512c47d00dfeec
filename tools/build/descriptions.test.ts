import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { describe as describeSources } from './descriptions.ts'

const stubs = `
  export const record = <E>(entries: E): E => entries
  export const gatewayOperation = <D>(shape: D): D => shape
  export const pagedFacilitatorOperation = <D>(shape: D): D => shape
  export const text = 'a schema'
  export const list = <I>(item: I) => ({ item })
  export const maybe = <W>(wrapped: W) => ({ wrapped })
  export const object = <E>(entries: E) => ({ entries })
  export type InferOutput<T> = T
`
const index = `
  import { gatewayOperation, type InferOutput, pagedFacilitatorOperation, record, text } from './stubs.ts'
  import { sharedFields } from './shared.ts'
  const card = record({
    ...sharedFields,
    /** How many there are. */
    total: text,
    plain: text,
  })
  /** A card. */
  export interface Card extends InferOutput<typeof card> {}
  export const Card: InferOutput<typeof card> = card
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
    id: 'cards.get',
    params: { /** The card's id. */ id: text },
    body: sharedFields,
    data: Card,
  })
  /**
   * All cards.
   *
   * @example for await (const card of list.items(client)) console.log(card.name)
   */
  export const list = pagedFacilitatorOperation({ id: 'cards.list', query: { ...sharedFields }, item: Card })
`
const shared = `
  import { text } from './stubs.ts'
  export const sharedFields = { /** Its name. */ name: text }
`

function describeIndex(text: string) {
  using scratch = scratchFolder({ 'src/index.ts': text, 'src/shared.ts': shared, 'src/stubs.ts': stubs })
  return describeSources([join(scratch.root, 'src/index.ts')], scratch.root)
}

it('reads the docstrings of operations, fields and records, also through spreads and from other files', () => {
  expect(describeIndex(index)).toEqual({
    descriptions: {
      operations: {
        'cards.get': {
          summary: 'One card, and no more.\n\nA second paragraph.',
          fields: { id: "The card's id.", name: 'Its name.' },
          record: 'Card',
        },
        'cards.list': { summary: 'All cards.', fields: { name: 'Its name.' }, record: 'Card' },
      },
      records: { Card: { summary: 'A card.', fields: { total: 'How many there are.', name: 'Its name.' } } },
    },
    problems: [],
  })
})

it('reads the docstrings of nested objects and of an answer without a name', () => {
  const text = `
    import { gatewayOperation, list, maybe, object, text } from './stubs.ts'
    /** Sets the phases. */
    export const set = gatewayOperation({
      id: 'phases.set',
      body: {
        /** All of them. */
        phases: list(object({
          /** Of one. */
          price: text,
          window: maybe(object({
            /** When it opens. */
            from: text,
          })),
        })),
      },
      data: object({
        /** How many there are. */
        count: text,
      }),
    })`
  expect(describeIndex(text).descriptions.operations).toEqual({
    'phases.set': {
      summary: 'Sets the phases.',
      fields: { phases: 'All of them.', 'phases.price': 'Of one.', 'phases.window.from': 'When it opens.' },
      answer: { count: 'How many there are.' },
    },
  })
})

it('reports an operation without a docstring', () => {
  expect(describeIndex(index.replace('All cards.', '')).problems).toEqual([
    'src/index.ts: list has no docstring',
  ])
})

it('reports an operation whose docstring has no example', () => {
  const problems = ['src/index.ts: list has no @example in its docstring']
  expect(describeIndex(index.replace(/@example for await.*/, '')).problems).toEqual(problems)
  expect(describeIndex(index.replace(/@example for await.*/, '@example')).problems).toEqual(problems)
})

it('adds the fields of the page query to operations that return a page', () => {
  const { descriptions } = describeSources(
    [join(repositoryRoot, 'packages/cards/src/index.ts')],
    repositoryRoot,
  )
  const { fields } = descriptions.operations['commemorativeCards.listByCreator'] ?? {}
  expect(Object.keys(fields ?? {}).sort()).toEqual(['creator', 'cursor', 'orderBy', 'pageNumber', 'pageSize'])
})
