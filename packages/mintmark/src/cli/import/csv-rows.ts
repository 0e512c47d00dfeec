import type { Issue } from '@mintmark/envelope'
import { UsageError } from '../errors.ts'
import { type InputField, parseFieldText } from '../fields.ts'
import type { Input } from '../input.ts'
import { normalizeName, suggestName } from '../similar-names.ts'
import type { CsvFile, CsvRecord } from './csv-file.ts'

/** A row of a CSV file as a part of an input, or what is wrong with it. */
export interface CsvRow {
  readonly line: number
  readonly input: Input
  /** Undefined for a row that can be sent. */
  readonly problem: string | undefined
}

/** Lists what is wrong with the input of a row. */
type FindIssues = (input: Input) => readonly Issue[]

/**
 * The column of a file with rejected rows that says where and why. It is ignored when the corrected file is
 * imported.
 */
export const REASON_COLUMN = 'rejected because'

/** Finds the field of each column; undefined for a column that is ignored. */
function findColumns(
  header: readonly string[],
  fields: readonly InputField[],
): readonly (InputField | undefined)[] {
  const columns = header.map((name) => {
    if (name === REASON_COLUMN) return undefined
    const field = fields.find((each) => normalizeName(each.name) === normalizeName(name))
    if (field !== undefined) return field
    const known = fields.map((each) => each.name)
    const advice = suggestName(name, known) || `. Known columns: ${known.join(', ')}`
    throw new UsageError(`The file has an unknown column "${name}"${advice}`)
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

/** Returns the value of a cell, or what is wrong with it. */
function readCell(
  field: InputField,
  text: string,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseCell(field, text) }
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message }
    throw error
  }
}

function toRow(
  { line, cells }: CsvRecord,
  columns: readonly (InputField | undefined)[],
  defaults: Input,
  findIssues: FindIssues,
): CsvRow {
  const input: Input = { ...defaults }
  if (cells.length !== columns.length) {
    return { line, input, problem: `Expected ${columns.length} cells, found ${cells.length}` }
  }
  const problems: string[] = []
  const malformed = new Set<string>()
  for (const [index, field] of columns.entries()) {
    const text = cells[index] ?? ''
    // An empty cell is a field that is left out.
    if (field === undefined || text === '') continue
    const cell = readCell(field, text)
    if ('value' in cell) input[field.name] = cell.value
    else {
      problems.push(cell.problem)
      malformed.add(field.name)
    }
  }
  // A malformed cell is not in the input, so that its field would be reported as missing too.
  const issues = findIssues(input).filter(({ path }) => !malformed.has(path))
  problems.push(...issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)))
  return { line, input, problem: problems.length === 0 ? undefined : problems.join('; ') }
}

/**
 * Converts the records of a file to inputs. A row that cannot be sent has a problem. Throws a UsageError for
 * a header that does not match.
 *
 * @param defaults The fields that rows have unless they have a cell for them.
 */
export function toCsvRows(
  { header, records }: Pick<CsvFile, 'header' | 'records'>,
  fields: readonly InputField[],
  defaults: Input,
  findIssues: FindIssues,
): CsvRow[] {
  const columns = findColumns(header, fields)
  const missing = fields.filter(
    (field) => field.required && !columns.includes(field) && defaults[field.name] === undefined,
  )
  if (missing.length > 0) {
    throw new UsageError(`The file has no column ${missing.map(({ name }) => name).join(', ')}`)
  }
  return records.map((record) => toRow(record, columns, defaults, findIssues))
}
