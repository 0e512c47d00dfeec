import { type Column, type Figure, formatColumn, formatSpread, formatValue } from './figures.ts'
import type { SectionResult } from './results.ts'

function formatFigure(figure: Figure | null | undefined, column: Column): string {
  if (figure === null || figure === undefined) return ''
  const value = formatValue(figure.value, column)
  return figure.spread === undefined ? value : `${value} (${formatSpread(figure.spread, column)})`
}

/** Formats a section's table, aims and notes for a terminal. */
export function formatSection({ title, columns, rows, aims, notes = [] }: SectionResult): string {
  const lines = [
    ['', ...columns.map(formatColumn)],
    ...rows.map(({ name, figures }) => [
      name,
      ...columns.map((column, index) => formatFigure(figures[index], column)),
    ]),
  ]
  const widthOf = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0))
  const table = lines.map(([name = '', ...cells]) => {
    const padded = cells.map((cell, index) => cell.padStart(widthOf(index + 1)))
    return [name.padEnd(widthOf(0)), ...padded].join('  ').trimEnd()
  })
  const below = [...notes, ...aims.map(({ text, reached }) => `${reached ? 'reached' : 'MISSED '}  ${text}`)]
  return [`\n${title}`, ...[...table, ...below].map((line) => `  ${line}`)].join('\n')
}
