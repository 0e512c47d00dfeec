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

/** Returns the records after the header, or the line of the problem. */
function readInConsole(text: string): unknown {
  try {
    return parseCsv(text).slice(1)
  } catch (error) {
    return error instanceof Error && 'line' in error ? error.line : error
  }
}
