import type { Change, SectionChanges } from '../comparison.ts'
import type { Column, Figure } from '../figures.ts'
import type { SectionResult } from '../results.ts'

/** A figure of a table with what is known about it. */
export interface Cell {
  readonly column: Column
  readonly figure: Figure
  readonly change: Change | undefined
}

/** Finds a figure by the names of its row and column. Undefined where the table has none. */
export function findCell(
  { columns, rows }: SectionResult,
  changes: SectionChanges | undefined,
  rowName: string,
  columnName: string,
): Cell | undefined {
  const rowIndex = rows.findIndex(({ name }) => name === rowName)
  const index = columns.findIndex(({ name }) => name === columnName)
  const column = columns[index]
  const figure = rows[rowIndex]?.figures[index]
  if (column === undefined || figure === undefined || figure === null) return undefined
  return { column, figure, change: changes?.[rowIndex]?.[index] ?? undefined }
}

/** The names of columns and rows in a chart that its table lacks. */
export function listMissingNames({ chart, columns, rows }: SectionResult): string[] {
  const points = chart.kind === 'lines' ? chart.lines.flatMap((line) => line.points) : []
  const columnNames = chart.kind === 'lines' ? points.map(({ column }) => column) : chart.columns
  const missing = [
    ...columnNames.filter((column) => !columns.some(({ name }) => name === column)),
    ...points.map(({ row }) => row).filter((row) => !rows.some(({ name }) => name === row)),
  ]
  return [...new Set(missing)]
}
