import { formatCsvRecord } from '../../../format/csv.ts'
import { t } from '../../../language/translate.ts'
import { type ImportField, REASON_COLUMN } from './import-fields.ts'
import type { ImportFile } from './import-file.ts'
import type { RowProblem } from './import-rows.ts'

/** A row that was not imported. */
export interface Failure {
  readonly line: number
  /** None if it is not known whether the row was imported. */
  readonly problems: readonly RowProblem[]
}

/** Formats rows that were not imported like the file, with a column that says why. */
export function formatFailedRows(
  { header, records }: Pick<ImportFile, 'header' | 'records'>,
  failures: readonly Failure[],
  fields: readonly ImportField[],
): string {
  const reasons = new Map(failures.map(({ line, problems }) => [line, formatProblems(problems, fields)]))
  // A file of failed rows that was corrected only in part has the column already.
  const kept = header.flatMap((name, index) => (name === REASON_COLUMN ? [] : [index]))
  const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '')
  const rows = records
    .filter(({ line }) => reasons.has(line))
    .map(({ line, cells }) => [...pick(cells), reasons.get(line) ?? ''])
  return [[...pick(header), REASON_COLUMN], ...rows].map(formatCsvRecord).join('')
}

function formatProblems(problems: readonly RowProblem[], fields: readonly ImportField[]): string {
  if (problems.length === 0) return t('It is not known whether the row was imported')
  return problems.map(({ field, message }) => `${formatField(field, fields)}: ${message}`).join('; ')
}

/** Formats the name of a field, such as `applicableStores` of `applicableStores.3`. */
export function formatField(name: string, fields: readonly ImportField[]): string {
  if (name === '') return t('Row')
  return fields.find((field) => field.name === name.split('.')[0])?.label ?? name
}
