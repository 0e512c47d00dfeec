import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCsvRecord } from '../../../format/csv.ts'
import { parseCsv } from './csv-parser.ts'
import { CsvFormatError } from './csv-record.ts'

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells)

describe('the parser of CSV', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\r\n1,5\t2\r\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      '\uFEFFa,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '"a, b";c\n1;2',
      [
        ['a, b', 'c'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n"say ""hi""","two\nlines"',
      [
        ['a', 'b'],
        ['say "hi"', 'two\nlines'],
      ],
    ],
    ['a\n""\n', [['a']]],
    ['', []],
    ['\n\n', []],
  ])('splits %j', (text, cells) => {
    expect(cellsOf(text)).toEqual(cells)
  })

  it('reports the line on which each record begins', () => {
    const records = parseCsv('name,note\r\n\r\n"one","first\nsecond"\r\ntwo,x\r\n\r\nthree,y')
    expect(records.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, 'name'],
      [3, 'one'],
      [5, 'two'],
      [7, 'three'],
    ])
  })

  it.each([
    ['a,b\n1,"x', 'unclosed', 2],
    ['a,b\n"1" x,2\n', 'afterQuote', 2],
    ['a,b\n"1\n2"x,2', 'afterQuote', 3],
    ['a,b\n5" pipe,x', 'insideCell', 2],
  ])('names the problem of %j and its line', (text, problem, line) => {
    expect(() => parseCsv(text)).toThrow(CsvFormatError)
    expect(() => parseCsv(text)).toThrow(expect.objectContaining({ problem, line }))
  })

  it('parses what was formatted, whatever it contains, with line feeds', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', 'a', 'ü', '😀'), maxLength: 10 }),
    )
    fc.assert(
      fc.property(
        fc
          .integer({ min: 2, max: 5 })
          .chain((width) =>
            fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
          ),
        (rows) => {
          const header = rows[0]?.map((_, index) => `column ${index}`) ?? []
          const text = [header, ...rows].map(formatCsvRecord).join('')
          const expected = rows
            .map((row) => row.map((each) => withLineFeeds(toSafeCell(each))))
            .filter((row) => row.some((each) => each.trim() !== ''))
          const records = parseCsv(text)
          expect(records.map(({ cells }) => cells)).toEqual([header, ...expected])
        },
      ),
      { seed: 20_261_123, numRuns: 500 },
    )
  })
})

/** What a cell is after `formatCsvRecord`, which disarms formulas. */
function toSafeCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}

/** Lines of a cell end with a line feed, whatever they ended with in the file. */
const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')
