import { expect, it } from 'vitest'
import { createStatementNames, PLANNED_EACH_TIME } from './statement-names.ts'

const select = (column: string) => `select "${column}" from shop.cards where id = $1`
const parameters = [1]

it('the names of prepared statements are given to each text once', () => {
  const names = createStatementNames({ limit: 10, share: 5 })
  const name = names.getName('1', select('a'), parameters)
  expect(name).toBeTypeOf('string')
  expect(names.getName('2', select('a'), parameters)).toBe(name)
  expect(names.getName('1', select('b'), parameters)).not.toBe(name)
})

it('the names of prepared statements are not used up by a project with ever new texts', () => {
  const names = createStatementNames({ limit: 10, share: 5 })
  const greedy = Array.from({ length: 100 }, (_, n) => names.getName('1', select(`a${n}`), parameters))
  expect(greedy.filter((name) => name !== undefined)).toHaveLength(5)
  expect(names.getName('2', select('b'), parameters)).toBeTypeOf('string')
  // It still uses the names that others were the first to use.
  expect(names.getName('1', select('b'), parameters)).toBeTypeOf('string')
})

it('the names of prepared statements are not used up by two projects, or four, with ever new texts', () => {
  const names = createStatementNames({ limit: 100, share: 50 })
  for (const project of ['1', '2', '3', '4']) {
    for (let n = 0; n < 200; n += 1) names.getName(project, select(`a${project}_${n}`), parameters)
  }
  expect(names.getName('5', select('b'), parameters)).toBeTypeOf('string')
  expect(names.getName('', select('c'), parameters)).toBeTypeOf('string')
})

it('the names of prepared statements are limited in total, whoever uses them', () => {
  const names = createStatementNames({ limit: 10, share: 5 })
  const all = Array.from({ length: 100 }, (_, n) => names.getName(String(n), select(`a${n}`), parameters))
  expect(all.filter((name) => name !== undefined)).toHaveLength(10)
})

it('the names of prepared statements are all available to connections without a project', () => {
  const names = createStatementNames({ limit: 10, share: 5 })
  const all = Array.from({ length: 20 }, (_, n) => names.getName('', select(`a${n}`), parameters))
  expect(all.filter((name) => name !== undefined)).toHaveLength(10)
})

it.each([
  ['a list of as many values as a caller passes', 'select 1 from t where id in ($1, $2, $3, $4, $5)'],
  ['as many rows as a caller passes', 'insert into t (a, b) values ($1, $2), ($3, now()), ($4, $5)'],
])('the names of prepared statements are not given to a text with %s', (_, text) => {
  expect(createStatementNames({ limit: 10, share: 5 }).getName('1', text, parameters)).toBeUndefined()
})

it.each([
  ['a list of a few values', 'select 1 from t where status in ($1, $2, $3)'],
  ['two rows', 'insert into t (a, b) values ($1, $2), ($3, $4)'],
])('the names of prepared statements are given to a text with %s', (_, text) => {
  const names = createStatementNames({ limit: 10, share: 5 })
  expect(names.getName('1', text, parameters)).toBeTypeOf('string')
})

it('the names of prepared statements are not given to statements that are planned each time', () => {
  const names = createStatementNames({ limit: 10, share: 5 })
  expect(names.getName('1', `${PLANNED_EACH_TIME} ${select('a')}`, parameters)).toBeUndefined()
})
