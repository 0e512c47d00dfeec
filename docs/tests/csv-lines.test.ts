// The console and the command line name the same line of a CSV file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseCsv } from '../../packages/console/app/pages/cards/import/csv-parser.ts'
import { readCsvFile } from '../../packages/mintmark/src/cli/import/csv-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-csv-'))
})
afterAll(() => rm(folder, { recursive: true }))

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', 'a'), maxLength: 6 }).map(quote),
)

it('the console and the command line read the same records of a CSV file, with the same lines', async () => {
  const rows = fc.array(fc.oneof(fc.tuple(cell, cell).map(String), fc.constant(''), fc.constant('a,"b')), {
    minLength: 1,
    maxLength: 8,
  })
  const lineBreaks = fc.infiniteStream(fc.constantFrom('\n', '\r\n', '\r'))
  await fc.assert(
    fc.asyncProperty(rows, lineBreaks, async (lines, breaks) => {
      // A file that several programs wrote has several ends of lines.
      const text = ['name,note', ...lines].reduce((before, line) => before + breaks.next().value + line)
      const path = join(folder, 'rows.csv')
      await writeFile(path, text)
      const byCommand = await readCsvFile(path).then(
        ({ records }) => records,
        (error: Error) => Number(/line (\d+)/.exec(error.message)?.[1]),
      )
      expect(readInConsole(text)).toEqual(byCommand)
    }),
    { seed: 20_261_124, numRuns: 300 },
  )
})

it.each([
  ['a line that names the semicolon', 'sep=;\r\nname;note\r\nLatte;a, b\r\n', 3],
  ['a line in quotes that names the tab', '"sep=\t"\r\nname\tnote\r\nLatte\ta, b\r\n', 3],
  ['a line that names the bar, after a byte order mark', '\uFEFFSEP=|\r\nname|note\r\nLatte|a, b\r\n', 3],
  ['tabs', 'name\tnote\r\nLatte\ta, b\r\n', 2],
  ['semicolons and a comma in a name', '"name";"note"\r\nLatte;"a, b"\r\n', 2],
  ['empty columns at the end', 'name;note;;\r\nLatte;a, b;;\r\n', 2],
  ['empty columns at the end of some rows', 'name,note\r\nLatte,"a, b",,\r\n', 2],
  ['empty rows at the end', 'name;note\r\nLatte;a, b\r\n;\r\n;\r\n" ";\r\n\r\n', 2],
  ['an empty row before the others', 'name;note\r\n;\r\nLatte;a, b\r\n', 3],
])('the console and the command line read a file of a spreadsheet with %s', async (_, text, line) => {
  const path = join(folder, 'spreadsheet.csv')
  await writeFile(path, text)
  const { header, records } = await readCsvFile(path)
  expect(header).toEqual(['name', 'note'])
  expect(records).toEqual([{ line, cells: ['Latte', 'a, b'] }])
  expect(parseCsv(text)).toEqual([{ line: expect.any(Number), cells: header }, ...records])
})

it('a value in a column without a name is not dropped', async () => {
  const path = join(folder, 'spreadsheet.csv')
  const text = 'name,note,\nLatte,hot,really\n'
  await writeFile(path, text)
  const cells = ['Latte', 'hot', 'really']
  expect((await readCsvFile(path)).records).toEqual([{ line: 2, cells }])
  expect(parseCsv(text)[1]).toEqual({ line: 2, cells })
})

/** Returns the records after the header, or the line of the problem. */
function readInConsole(text: string): unknown {
  try {
    return parseCsv(text).slice(1)
  } catch (error) {
    return error instanceof Error && 'line' in error ? error.line : error
  }
}
