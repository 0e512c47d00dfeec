import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { decodeText } from '../decode-text.ts'
import { UsageError } from '../errors.ts'
import { createFileError } from '../file-errors.ts'

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A CSV file with a header. */
export interface CsvFile {
  /** The SHA-256 of the file's bytes. */
  readonly digest: string
  readonly header: readonly string[]
  readonly records: readonly CsvRecord[]
}

interface ParsedRecord {
  readonly info: Info
  readonly record: string[]
  /** The text of the record, with the line feeds inside its cells. */
  readonly raw: string
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

/** Spreadsheets write semicolons in countries with a decimal comma, and tabs into what is copied. */
function detectDelimiter(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => unquoted.split(delimiter).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Parses CSV text with line feeds. Throws a UsageError for text that cannot be split into records. */
function parseCsv(text: string, file: string): Pick<CsvFile, 'header' | 'records'> {
  const { delimiter, content } = findDelimiter(text)
  try {
    // The options `info` and `raw` determine the type of the result.
    const parsed = parse(content, {
      delimiter,
      info: true,
      raw: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as ParsedRecord[]
    const [header, ...records] = removeEmptyColumns(parsed.map(toCsvRecord))
    if (header === undefined) throw new UsageError(`${file} is empty. Its first line must name the columns`)
    return { header: header.cells, records }
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${file}: ${error.message}`)
    throw error
  }
}

/**
 * Reads a CSV file.
 *
 * @param file The path as the person wrote it, for errors. Default: `path`.
 */
export async function readCsvFile(path: string, file: string = path): Promise<CsvFile> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw createFileError(error, file)
  }
  const digest = createHash('sha256').update(bytes).digest('hex')
  // A file that several programs wrote has several ends of lines.
  const text = decodeText(bytes, file).replace(/\r\n?/g, '\n')
  return { digest, ...parseCsv(text, file) }
}
