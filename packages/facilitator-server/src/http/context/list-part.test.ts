import { expect, test } from 'vitest'
import { toListPart } from './list-part.ts'

const rows = [{ id: 3 }, { id: 2 }, { id: 1 }]

test('a list continues after the last listed row, and ends with the part that has its last row', () => {
  expect(toListPart(rows, 2)).toEqual({ listed: [{ id: 3 }, { id: 2 }], more: { next: 2 } })
  expect(toListPart(rows, 3)).toEqual({ listed: rows, more: {} })
  expect(toListPart([], 3)).toEqual({ listed: [], more: {} })
})
