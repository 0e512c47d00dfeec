import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { applyFormats, createFormattedField, type TextFormat } from './field-formats.ts'

const word: TextFormat = {
  description: 'a word',
  findProblem: (text) => (/^[a-z]+$/i.test(text) ? undefined : 'Expected a word'),
  normalize: (text) => text.toLowerCase(),
}
const fields = ['name', 'cards[].name', 'tags[]'].map((path) => createFormattedField(path, word))

const apply = (input: object) =>
  applyFormats(input, fields, {
    invalid: (field, message) => {
      throw new Error(`${field}: ${message}`)
    },
    now: Date.now,
  })

it('applyFormats replaces texts at every depth with their stored form', async () => {
  const input = { name: 'Ada', cards: [{ name: 'One' }, { name: 'Two' }], tags: ['A', 'b'], other: 'C' }
  await apply(input)
  expect(input).toEqual({
    name: 'ada',
    cards: [{ name: 'one' }, { name: 'two' }],
    tags: ['a', 'b'],
    other: 'C',
  })
})

it.each<[object, string]>([
  [{ name: '1' }, 'name'],
  [{ cards: [{ name: 'One' }, { name: '2' }] }, 'cards.1.name'],
  [{ tags: ['A', '-'] }, 'tags.1'],
])('applyFormats refuses %j and names the field', async (input, field) => {
  await expect(apply(input)).rejects.toThrow(`${field}: Expected a word`)
})

it('applyFormats leaves absent fields, empty texts and values of other types to the schema', async () => {
  const input = { name: '', cards: 'none', tags: [null, 1] }
  await apply(input)
  expect(input).toEqual({ name: '', cards: 'none', tags: [null, 1] })
})

it('applyFormats yields to other calls while it checks a long list', async () => {
  const tags = Array.from({ length: 1000 }, () => 'A')
  let turns = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await nextTurn()
      turns += 1
    }
  })()
  await apply({ tags })
  isDone = true
  await counting
  expect(turns).toBeGreaterThan(5)
})
