import { eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import { expect, it } from 'vitest'
import { listImportFields, suggestMapping } from './import-fields.ts'
import { parseTime, toImportRows } from './import-rows.ts'

const fields = listImportFields('promoCodeCards')
const header = ['Name', 'nft address', 'start_time', 'Valid until', 'Uses', 'Stores', 'ignored']
const good = ['A free coffee', '0xabc', '2026-01-01', '2026-12-31', '10', 'Berlin; Köln', 'x']
const convert = (...rows: readonly (readonly string[])[]) =>
  toImportRows(
    rows.map((cells, index) => ({ line: index + 2, cells })),
    header.length,
    fields,
    suggestMapping(fields, header),
    promoCodeCards.create,
  )
const replace = (index: number, text: string) => good.map((cell, at) => (at === index ? text : cell))

it('a row of a file becomes the input of the operation, by the names of the columns', () => {
  expect(convert(good)).toEqual([
    {
      line: 2,
      cells: good,
      problems: [],
      input: {
        name: 'A free coffee',
        nftAddress: '0xabc',
        startTime: new Date('2026-01-01T00:00:00').toISOString(),
        endTime: new Date('2026-12-31T23:59:59').toISOString(),
        totalIssued: 10,
        applicableStores: ['Berlin', 'Köln'],
      },
    },
  ])
})

it.each([
  [0, '', 'name', 'Enter a value'],
  [2, '31.12.2026', 'startTime', /date such as/],
  [2, '2026-02-31', 'startTime', /date such as/],
  [3, '2025-12-31', 'endTime', /after the start/],
  [4, '0', 'totalIssued', /whole number/],
  [4, '1,000', 'totalIssued', /whole number/],
  [4, '9'.repeat(20), 'totalIssued', /whole number/],
])('a row of a file with %# a bad cell names the field', (index, text, field, message) => {
  const [row] = convert(replace(index, text))
  expect(row?.problems).toEqual([{ field, message: expect.stringMatching(message) }])
})

it('a row of a file with another number of cells is refused as a whole', () => {
  const [row] = convert(good.slice(1))
  expect(row?.problems).toEqual([{ field: '', message: 'The row has 6 cells, and the first row has 7' }])
})

it.each([
  ["'-20% Coffee", '-20% Coffee'],
  ["'=SUM(A1)", '=SUM(A1)'],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
])('a row of a file takes %s, as a formatted file protects it, as %s', (cell, name) => {
  expect(convert(replace(0, cell))[0]?.input.name).toBe(name)
})

it('a row of a file takes the value that all rows share', () => {
  const mapping = { ...suggestMapping(fields, header), name: { kind: 'fixed', text: ' Same ' } } as const
  const [row] = toImportRows([{ line: 2, cells: good }], 7, fields, mapping, promoCodeCards.create)
  expect(row?.input.name).toBe('Same')
})

it('a row of a file takes a list as JSON, and a text that only begins like one', () => {
  const members = listImportFields('membershipCards')
  const columns = [...header, 'benefits']
  const rows = ['["a; b","c"]', '[old] gym; sauna'].map((text, line) => ({ line, cells: [...good, text] }))
  const mapping = suggestMapping(members, columns)
  const inputs = toImportRows(rows, columns.length, members, mapping, membershipCards.create)
  expect(inputs.map(({ input }) => input.benefits)).toEqual([
    ['a; b', 'c'],
    ['[old] gym', 'sauna'],
  ])
})

it.each([
  ['yes', true],
  ['Ja', true],
  ['sí', true],
  ['nein', false],
])('a row of a file takes %s as %s', (text, isCheckedIn) => {
  const guests = listImportFields('eventCards')
  const mapping = suggestMapping(guests, [...header, 'isCheckedIn'])
  const [row] = toImportRows([{ line: 2, cells: [...good, text] }], 8, guests, mapping, eventCards.create)
  expect(row?.input).toMatchObject({ isCheckedIn })
})

it.each([
  ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z'],
  ['2026-05-01T10:00:00.123+02:00', '2026-05-01T08:00:00.000Z'],
  ['2026-05-01T10:00+0200', '2026-05-01T08:00:00.000Z'],
])('a time of %s is %s', (text, time) => {
  expect(parseTime(text, false)).toBe(time)
})

it('a time without a time zone is in that of the browser', () => {
  expect(parseTime('2026-05-01 10:00', false)).toBe(new Date('2026-05-01T10:00:00').toISOString())
})

it.each(['', 'tomorrow', '2026-13-01', '2026-05-01 25:00', '2026-05-01Z', '1777629600', '05/01/2026'])(
  'a time is not read from %j',
  (text) => {
    expect(parseTime(text, false)).toBeUndefined()
  },
)
