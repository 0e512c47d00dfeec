import { CsvError, type Info, parse } from 'csv-parse/browser/esm/sync'
import { CsvFormatError, type CsvProblem, type CsvRecord } from './csv-record.ts'

const DELIMITERS = [',', ';', '\t'] as const

const problems: Readonly<Record<string, CsvProblem>> = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed',
  CSV_INVALID_CLOSING_QUOTE: 'afterQuote',
  INVALID_OPENING_QUOTE: 'insideCell',
}

interface ParsedRecord {
  readonly info: Info
  readonly record: string[]
  /** The text of the record, with the line breaks inside its cells. */
  readonly raw: string
}

/**
 * Parses CSV like the command line, with the same numbers of lines: cells in quotes may contain delimiters,
 * line breaks and doubled quotes. Lines without a value are left out, and so are empty cells behind the last
 * column that has a name. The delimiter is that of a first line such as `sep=;`; otherwise the comma, the
 * semicolon or the tab, whichever the first line has most of outside of quotes. Throws a `CsvFormatError`.
 */
export function parseCsv(text: string): readonly CsvRecord[] {
  // A file that several programs wrote has several ends of lines.
  const withLineFeeds = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const { delimiter, content } = findDelimiter(withLineFeeds)
  try {
    // The options `info` and `raw` determine the type of the result.
    const records = parse(content, {
      delimiter,
      info: true,
      raw: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as ParsedRecord[]
    return removeEmptyColumns(records.map(toCsvRecord))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const problem = problems[error.code]
    if (problem === undefined || typeof error.lines !== 'number') throw error
    throw new CsvFormatError(problem, error.lines)
  }
}

function toCsvRecord({ info, record, raw }: ParsedRecord): CsvRecord {
  // `lines` counts to the end of the record, which may have several lines.
  const lineFeeds = raw.trim().match(/\n/g)?.length ?? 0
  return { line: info.lines - lineFeeds, cells: record }
}

/** Removes the empty cells behind the last column that has a name: spreadsheets keep columns that were emptied. */
function removeEmptyColumns(records: readonly CsvRecord[]): readonly CsvRecord[] {
  const width = (records[0]?.cells.findLastIndex((name) => name.trim() !== '') ?? -1) + 1
  return records.map(({ line, cells }) => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    return { line, cells: cells.slice(0, Math.max(width, last + 1)) }
  })
}

/** Finds the delimiter. The content is without a line that names it, which keeps its number. */
function findDelimiter(text: string): { readonly delimiter: string; readonly content: string } {
  const named = /^"?sep=([^"\n])"?\n/i.exec(text)
  if (named?.[1] === undefined) return { delimiter: detectDelimiter(findFirstLine(text)), content: text }
  return { delimiter: named[1], content: text.slice(named[0].length - 1) }
}

/** Finds the first line, with the line breaks inside of its quotes. */
function findFirstLine(text: string): string {
  let isQuoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && character === '\n') return text.slice(0, index)
  }
  return text
}

function detectDelimiter(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => unquoted.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}
