import { expect, it } from 'vitest'
import { getTimeRange } from './period.ts'
import { formatSearch, parseSearch, pickSearch, readChoice, readPageNumber } from './search-params.ts'

it('keeps every parameter a text, also one that looks like a number', () => {
  const search = formatSearch({ q: '12345678901234567890', page: '2', empty: '', missing: undefined })
  expect(search).toBe('?q=12345678901234567890&page=2')
  expect(parseSearch(search)).toEqual({ q: '12345678901234567890', page: '2' })
  expect(formatSearch({})).toBe('')
})

it('selects the parameters that a page knows', () => {
  expect(pickSearch('q', 'page')({ q: 'a', other: 'b', page: '' })).toEqual({ q: 'a' })
})

it.each([
  ['3', 3],
  ['0', 1],
  ['-1', 1],
  ['1e9', 1],
  [undefined, 1],
])('reads the page number of %j', (text, page) => {
  expect(readPageNumber(text)).toBe(page)
})

it('reads a word only if it is a choice', () => {
  const choices = { PENDING: 'Pending', FAILED: 'Failed' }
  expect(readChoice('FAILED', choices)).toBe('FAILED')
  for (const text of ['failed', 'toString', '', undefined]) expect(readChoice(text, choices)).toBeUndefined()
})

it('begins a period at midnight of its first day', () => {
  const now = new Date(2026, 2, 10, 15, 30).getTime()
  expect(getTimeRange('week', now)).toEqual({ from: new Date(2026, 2, 4).toISOString() })
  expect(getTimeRange('today', now)).toEqual({ from: new Date(2026, 2, 10).toISOString() })
  expect(getTimeRange('toString', now)).toEqual({})
  expect(getTimeRange(undefined, now)).toEqual({})
})
