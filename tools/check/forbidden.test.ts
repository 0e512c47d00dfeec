import { expect, it } from 'vitest'
import { findForbidden } from './forbidden.ts'

it.each([
  '// TODO: later',
  '// @ts-ignore',
  `const path = '/work/main/package.json'`,
  'see https://registry.npmjs.org/ky',
  '[docs](http://example.com)',
  `it.only('runs alone', () => {})`,
  'const card = { ...{ id, name } }',
])('finds a line that nobody should commit: %s', (line) => {
  expect(findForbidden(`export {}\n${line}\n`)).toEqual([{ line: 2, reason: expect.any(String) }])
})

it.each([
  '/api/v1/work/orders',
  'the work/main folder',
  '// @ts-expect-error: the id is missing',
  'https://x402.org/',
  'const card = { ...(isNamed && { name }) }',
])('accepts a line that only looks like one: %s', (line) => {
  expect(findForbidden(line)).toEqual([])
})
