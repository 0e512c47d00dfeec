import { expect, it } from 'vitest'
import { formatCsvRecord } from './csv.ts'

it.each([
  [['a', 'b c', '1.5', '-2'], 'a,b c,1.5,-2\r\n'],
  [['say "hi"', 'a,b', 'a;b', 'two\nlines', ' x'], '"say ""hi""","a,b","a;b","two\nlines"," x"\r\n'],
  [['=1+1', '+49 30', '@x', '-1+1', '\tx'], "'=1+1,'+49 30,'@x,'-1+1,\"'\tx\"\r\n"],
])('formats %j without formulas', (cells, line) => {
  expect(formatCsvRecord(cells)).toBe(line)
})
