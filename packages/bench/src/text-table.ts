import {
  type Comparison,
  countOutcomes,
  describeChange,
  isCertain,
  type SectionChanges,
} from './comparison.ts'
import { type Column, type Figure, formatColumn, formatSpread, formatValue } from './figures.ts'
import type { SectionResult } from './results.ts'

function formatFigure(figure: Figure | null | undefined, column: Column): string {
  if (figure === null || figure === undefined) return ''
  const value = formatValue(figure.value, column)
  return figure.spread === undefined ? value : `${value} (${formatSpread(figure.spread, column)})`
}

/** The most changes that are printed. */
const MAX_CHANGES = 10

/** Lists the figures that became better or worse, the largest changes first. */
function listChanges({ rows, columns }: SectionResult, changes: SectionChanges): string[] {
  const found = rows.flatMap(({ name, figures }, row) =>
    columns.flatMap((column, index) => {
      const change = changes[row]?.[index]
      const now = figures[index]
      if (!change?.before || !now || !isCertain(change)) return []
      const values = `${formatValue(change.before.value, column)} → ${formatValue(now.value, column)}`
      const text = `${name}, ${formatColumn(column)}: ${values} (${describeChange(change)})`
      return [{ text, size: Math.abs(change.percent ?? Number.POSITIVE_INFINITY) }]
    }),
  )
  return found.toSorted((left, right) => right.size - left.size).map(({ text }) => text)
}

function formatChanges(result: SectionResult, changes: SectionChanges): string[] {
  const lines = listChanges(result, changes)
  const more = lines.length - MAX_CHANGES
  const { better, worse, noise, same, uncertain } = countOutcomes([changes])
  return [
    ...lines.slice(0, MAX_CHANGES),
    ...(more > 0 ? [`and ${more} more`] : []),
    `Compared with the baseline: ${better} better, ${worse} worse, ${noise + same} within noise, ${uncertain} of unknown noise.`,
  ]
}

/** Formats a section's table, aims and notes for a terminal, with the changes since the baseline. */
export function formatSection(result: SectionResult, comparison?: Comparison): string {
  const { title, columns, rows, aims, notes = [] } = result
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
  const changes = comparison?.sections.get(result.name)
  const below = [
    ...notes,
    ...aims.map(({ text, reached }) => `${reached ? 'reached' : 'MISSED '}  ${text}`),
    ...(changes === undefined ? [] : formatChanges(result, changes)),
  ]
  return [`\n${title}`, ...[...table, ...below].map((line) => `  ${line}`)].join('\n')
}
