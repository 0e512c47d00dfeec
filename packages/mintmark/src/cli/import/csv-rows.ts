import { UsageError } from '../errors.ts'
import { type InputField, parseFieldText } from '../fields.ts'
import type { Input } from '../input.ts'
import type { CsvFile, CsvRecord } from './csv-file.ts'

/** A row of a CSV file as a part of an input, or what is wrong with it. */
export interface CsvRow {
  readonly line: number
  readonly input: Input
  /** Undefined for a row that can be sent. */
  readonly problem: string | undefined
}

/** The column of a file with rejected rows that says where and why. It is ignored when the corrected file is imported. */
export const REASON_COLUMN = 'rejected because'

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Finds the field of each column; undefined for a column that is ignored. */
function findColumns(
  header: readonly string[],
  fields: readonly InputField[],
): readonly (InputField | undefined)[] {
  const columns = header.map((name) => {
    if (name === REASON_COLUMN) return undefined
    const field = fields.find((each) => normalize(each.name) === normalize(name))
    if (field !== undefined) return field
    const known = fields.map((each) => each.name).join(', ')
    throw new UsageError(`The file has an unknown column "${name}". Known columns: ${known}`)
  })
  for (const field of fields) {
    const count = columns.filter((column) => column === field).length
    if (count > 1) throw new UsageError(`The file has ${count} columns for ${field.name}`)
  }
  return columns
}

/** Splits a cell with a list: a JSON array, or texts separated by semicolons. */
function parseList(text: string, field: InputField): unknown {
  if (text.trimStart().startsWith('[')) return parseFieldText({ ...field, kind: 'json' }, text, field.name)
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function parseCell(field: InputField, text: string): unknown {
  if (field.kind === 'list') return parseList(text, field)
  if (field.kind === 'text') return parseFieldText(field, text, field.name)
  return parseFieldText(field, text.trim(), field.name)
}

function toRow(
  { line, cells }: CsvRecord,
  columns: readonly (InputField | undefined)[],
  defaults: Input,
  findProblem: (input: Input) => string | undefined,
): CsvRow {
  const input: Input = { ...defaults }
  if (cells.length !== columns.length) {
    return { line, input, problem: `Expected ${columns.length} cells, found ${cells.length}` }
  }
  try {
    for (const [index, field] of columns.entries()) {
      const cell = cells[index] ?? ''
      // An empty cell is a field that is left out.
      if (field !== undefined && cell !== '') input[field.name] = parseCell(field, cell)
    }
  } catch (error) {
    if (error instanceof UsageError) return { line, input, problem: error.message }
    throw error
  }
  return { line, input, problem: findProblem(input) }
}

/**
 * Converts the records of a file to inputs. A row that cannot be sent has a problem. Throws a UsageError for a header that does not match.
 *
 * @param defaults The fields that rows have unless they have a cell for them.
 */
export function toCsvRows(
  { header, records }: Pick<CsvFile, 'header' | 'records'>,
  fields: readonly InputField[],
  defaults: Input,
  findProblem: (input: Input) => string | undefined,
): CsvRow[] {
  const columns = findColumns(header, fields)
  const missing = fields.filter(
    (field) => field.required && !columns.includes(field) && defaults[field.name] === undefined,
  )
  if (missing.length > 0) {
    throw new UsageError(`The file has no column ${missing.map(({ name }) => name).join(', ')}`)
  }
  return records.map((record) => toRow(record, columns, defaults, findProblem))
}
