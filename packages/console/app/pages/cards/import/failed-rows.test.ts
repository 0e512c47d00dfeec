import { expect, it } from 'vitest'
import { parseCsv } from './csv-parser.ts'
import { formatFailedRows } from './failed-rows.ts'
import { listImportFields, REASON_COLUMN, suggestMapping } from './import-fields.ts'

const fields = listImportFields('promoCodeCards')
const file = {
  header: ['name', 'Uses'],
  records: [
    { line: 2, cells: ['One', '1'] },
    { line: 3, cells: ['Two, "quoted"', 'many'] },
    { line: 4, cells: ['Three', ''] },
  ],
}
const failures = [
  { line: 3, problems: [{ field: 'totalIssued', message: 'Enter a whole number from 1' }] },
  {
    line: 4,
    problems: [
      { field: 'totalIssued', message: 'Enter a value' },
      { field: '', message: 'odd' },
    ],
  },
]

it('formats the failed rows like the file, with the reason of each', () => {
  expect(formatFailedRows(file, failures, fields)).toBe(
    [
      'name,Uses,not imported because',
      '"Two, ""quoted""",many,Uses: Enter a whole number from 1',
      'Three,,"Uses: Enter a value; Row: odd"',
      '',
    ].join('\r\n'),
  )
})

it('formats a file that can be imported, whose reasons belong to no field and are replaced the next time', () => {
  const [header, ...records] = parseCsv(formatFailedRows(file, failures, fields))
  const mapping = suggestMapping(fields, header?.cells ?? [])
  expect(mapping.name).toEqual({ kind: 'column', index: 0 })
  expect(mapping.totalIssued).toEqual({ kind: 'column', index: 1 })
  const again = { header: header?.cells ?? [], records }
  const text = formatFailedRows(again, [{ line: 2, problems: [] }], fields)
  expect(text).toBe(
    `name,Uses,${REASON_COLUMN}\r\n"Two, ""quoted""",many,It is not known whether the row was imported\r\n`,
  )
})
