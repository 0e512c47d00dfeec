import {
  type Change,
  type Comparison,
  countOutcomes,
  describeChange,
  type SectionChanges,
} from './comparison.ts'
import { type Column, type Figure, formatColumn, formatSpread, formatValue } from './figures.ts'
import type { SectionResult } from './results.ts'

function formatFigure(figure: Figure | null | undefined, column: Column): string {
  if (figure === null || figure === undefined) return ''
  const value = formatValue(figure.value, column)
  return figure.spread === undefined ? value : `${value} (${formatSpread(figure.spread, column)})`
}

function formatChange(
  { before, outcome }: Change,
  now: Figure | null | undefined,
  column: Column,
): string | undefined {
  if (before === undefined || now === null || now === undefined) return undefined
  if (outcome !== 'better' && outcome !== 'worse') return undefined
  return `${formatValue(before.value, column)} → ${formatValue(now.value, column)}`
}

/** Lists the figures that became better or worse, and counts the others. */
function formatChanges({ rows, columns }: SectionResult, changes: SectionChanges): string[] {
  const lines: string[] = []
  for (const [rowIndex, { name, figures }] of rows.entries()) {
    for (const [index, column] of columns.entries()) {
      const change = changes[rowIndex]?.[index]
      if (change === undefined || change === null) continue
      const text = formatChange(change, figures[index], column)
      if (text === undefined) continue
      lines.push(
        `${change.outcome.padEnd(6)}  ${name}, ${formatColumn(column)}: ${text} (${describeChange(change)})`,
      )
    }
  }
  const { better, worse, noise, same } = countOutcomes([changes])
  return [
    ...lines,
    `Compared with the baseline: ${better} better, ${worse} worse, ${noise + same} within noise.`,
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
