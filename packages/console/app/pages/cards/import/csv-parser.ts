/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** A text that is no CSV. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
  /** The line of the problem, from 1. */
  readonly line: number
  readonly problem: CsvProblem

  constructor(problem: CsvProblem, line: number) {
    super(`Line ${line}: ${problem}`)
    this.problem = problem
    this.line = line
  }
}

/** `unclosed`: a quoted cell does not end. `afterQuote`: something follows the quote that ends a cell. */
export type CsvProblem = 'unclosed' | 'afterQuote'

/** Parses CSV in pieces. */
export interface CsvParser {
  /** Parses the next piece of the text. Returns the records that it completes. */
  push(text: string): readonly CsvRecord[]
  /** Parses what is left after the last piece. */
  end(): readonly CsvRecord[]
}

const DELIMITERS = [',', ';', '\t'] as const

/** Where in a cell the parser is. `closed`: behind a quote in a quoted cell, which ends the cell unless another quote follows. */
type Place = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * Creates a parser of CSV: cells in quotes may contain delimiters, line breaks and doubled quotes. Lines end with LF, CRLF or CR. Empty lines are left
 * out. The delimiter is the comma, the semicolon or the tab, whichever the first line has most of outside of quotes.
 */
export function createCsvParser(): CsvParser {
  let head: string | undefined = ''
  let parser: Splitter | undefined
  return {
    push(text) {
      if (parser !== undefined) return parser.push(text)
      head += text
      // The first line says which delimiter the file has.
      const line = findFirstLine(head ?? '')
      return line === undefined ? [] : begin(line)
    },
    end() {
      const records = parser === undefined ? begin(head ?? '') : []
      return [...records, ...(parser?.end() ?? [])]
    },
  }

  function begin(firstLine: string): readonly CsvRecord[] {
    const text = (head ?? '').replace(/^\uFEFF/, '')
    head = undefined
    parser = new Splitter(detectDelimiter(firstLine))
    return parser.push(text)
  }
}

/** Finds the first line, with the line breaks inside of its quotes. Undefined if it is not complete. */
function findFirstLine(text: string): string | undefined {
  let isQuoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && (character === '\n' || character === '\r')) return text.slice(0, index)
  }
  return undefined
}

function detectDelimiter(line: string): string {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => unquoted.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** Splits a text with a known delimiter into records. */
class Splitter {
  readonly #delimiter: string
  #place: Place = 'start'
  #cell = ''
  #cells: string[] = []
  #line = 1
  #firstLine = 1
  /** The line on which the last quoted cell begins. */
  #quoteLine = 1
  /** Whether the last character was a CR, so that an LF after it ends no other line. */
  #isAfterReturn = false

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  push(text: string): readonly CsvRecord[] {
    const records: CsvRecord[] = []
    for (const character of text) {
      const isSecondHalf = character === '\n' && this.#isAfterReturn
      this.#isAfterReturn = character === '\r'
      if (this.#place === 'quoted') {
        this.#readQuoted(character, isSecondHalf)
      } else if (character === '\n' || character === '\r') {
        if (!isSecondHalf) this.#endRecord(records)
      } else {
        this.#readUnquoted(character)
      }
    }
    return records
  }

  end(): readonly CsvRecord[] {
    if (this.#place === 'quoted') throw new CsvError('unclosed', this.#quoteLine)
    const records: CsvRecord[] = []
    this.#endRecord(records)
    return records
  }

  #readQuoted(character: string, isSecondHalf: boolean): void {
    if (character === '"') {
      this.#place = 'closed'
      return
    }
    this.#cell += character
    if (character === '\r' || (character === '\n' && !isSecondHalf)) this.#line += 1
  }

  #readUnquoted(character: string): void {
    if (character === this.#delimiter) {
      this.#endCell()
    } else if (this.#place === 'closed') {
      if (character !== '"') throw new CsvError('afterQuote', this.#line)
      this.#cell += '"'
      this.#place = 'quoted'
    } else if (character === '"' && this.#place === 'start') {
      this.#place = 'quoted'
      this.#quoteLine = this.#line
    } else {
      this.#place = 'plain'
      this.#cell += character
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#place = 'start'
  }

  #endRecord(records: CsvRecord[]): void {
    const isEmptyLine = this.#cells.length === 0 && this.#cell === '' && this.#place === 'start'
    this.#endCell()
    if (!isEmptyLine) records.push({ line: this.#firstLine, cells: this.#cells })
    this.#cells = []
    this.#line += 1
    this.#firstLine = this.#line
  }
}
