import { expect, it } from 'vitest'
import { formatCsv } from './csv.ts'

it('quotes cells with commas, quotes and line breaks', () => {
  expect(
    formatCsv([
      ['a', 'b,c'],
      ['say "hi"', 'two\nlines'],
    ]),
  ).toBe('a,"b,c"\r\n"say ""hi""","two\nlines"\r\n')
})

it('writes no text that a spreadsheet would run as a formula', () => {
  expect(formatCsv([['=1+1', '@x', '-2', 'ABC-1']])).toBe("'=1+1,'@x,'-2,ABC-1\r\n")
})
