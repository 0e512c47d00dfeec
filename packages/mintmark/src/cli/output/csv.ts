import { stringify } from 'csv-stringify/sync'
import { isRecord } from './rows.ts'

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Formats records as CSV. A cell that a spreadsheet would execute, because other people chose a name such as
 * `=HYPERLINK(…)`, begins with an apostrophe.
 */
export function formatCsv(
  columns: readonly string[],
  rows: readonly unknown[],
  options: { readonly header: boolean },
): string {
  const head = columns.length === 0 ? ['value'] : [...columns]
  const lines = rows.map((row) =>
    isRecord(row) ? head.map((name) => toCell(row[name])) : [toCell(row), ...head.slice(1).map(() => '')],
  )
  return stringify(options.header ? [head, ...lines] : lines, { escape_formulas: true })
}
