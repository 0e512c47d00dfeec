import { expect, it } from 'vitest'
import type { ImportRow } from './import-rows.ts'
import { digestRows, findSentRows, toPlace } from './row-history.ts'

const digests = (...names: readonly string[]) => new Map(names.map((name, index) => [index + 2, name]))

it('rows that were sent before are those of other files, as often as they were sent', () => {
  const places = new Map([
    ['tea', [toPlace('old', 0, 2)]],
    ['coffee', [toPlace('old', 0, 3), toPlace('older', 0, 2)]],
  ])
  const rows = digests('tea', 'tea', 'coffee', 'coffee', 'coffee', 'cake')
  expect(findSentRows(rows, places, 'new')).toEqual([2, 4, 5])
})

it('rows that were sent before are not equal rows of the same file, which are intended, nor those of its earlier rounds', () => {
  const places = new Map([['tea', [toPlace('same', 0, 2), toPlace('same', 1, 2)]]])
  expect(findSentRows(digests('tea', 'tea'), places, 'same')).toEqual([])
  // The digest of one file can begin like that of another.
  expect(findSentRows(digests('tea', 'tea'), places, 'sam')).toEqual([2, 3])
})

it('rows that were sent before are found by the fields of a valid row in the same project and program', async () => {
  const row = (line: number, input: object, problems: ImportRow['problems'] = []): ImportRow => ({
    line,
    cells: [],
    input: { ...input },
    problems,
  })
  const rows = [
    row(2, { name: 'tea' }),
    row(3, { name: 'tea' }),
    row(4, { name: 'cake' }),
    row(5, {}, [{ field: 'name', message: 'Enter a value' }]),
  ]
  const one = await digestRows(rows, '1 promo', async (text) => text)
  expect([...one.keys()]).toEqual([2, 3, 4])
  expect(one.get(2)).toBe(one.get(3))
  expect(one.get(2)).not.toBe(one.get(4))
  expect((await digestRows(rows, '2 promo', async (text) => text)).get(2)).not.toBe(one.get(2))
})
