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

/** Returns what separates the cells: spreadsheets write semicolons in countries with a decimal comma. */
function findDelimiter(text: string): string {
  const [header = ''] = text.split('\n', 1)
  return header.includes(';') && !header.includes(',') ? ';' : ','
}

/** Parses CSV text with line feeds. Throws a UsageError for text that cannot be split into records. */
function parseCsv(text: string, file: string): Pick<CsvFile, 'header' | 'records'> {
  try {
    // The options `info` and `raw` determine the type of the result.
    const parsed = parse(text, {
      delimiter: findDelimiter(text),
      info: true,
      raw: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as ParsedRecord[]
    const [header, ...records] = parsed.map(toCsvRecord)
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
