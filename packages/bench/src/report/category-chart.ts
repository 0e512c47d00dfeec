import { html } from 'hono/html'
import type { SectionChanges } from '../comparison.ts'
import { formatWithUnit } from '../figures.ts'
import type { SectionResult } from '../results.ts'
import type { CategoryChart } from '../section.ts'
import { createAxis } from './axes.ts'
import { type Cell, findCell } from './cells.ts'
import { type Drawing, WIDTH } from './drawing.ts'
import { type Markup, renderMark, round } from './marks.ts'

const LEFT = 8
const RIGHT = WIDTH - 8
const NAME_HEIGHT = 22
const MARK_HEIGHT = 20
const ROW_GAP = 8
const AXIS_HEIGHT = 46
/** The space between a mark and its label. */
const LABEL_GAP = 10
/** Longer names would leave the chart. */
const MAX_NAME_LENGTH = 52

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
}

interface Category {
  readonly name: string
  readonly cells: readonly { readonly cell: Cell; readonly series: number }[]
}

function listCategories(
  result: SectionResult,
  changes: SectionChanges | undefined,
  columns: readonly string[],
): Category[] {
  return result.rows.flatMap(({ name }) => {
    const cells = columns.flatMap((column, series) => {
      const cell = findCell(result, changes, name, column)
      return cell === undefined ? [] : [{ cell, series }]
    })
    return cells.length === 0 ? [] : [{ name, cells }]
  })
}

/**
 * Draws a category for each row, with a labeled mark for each column. Undefined when the table has no such
 * figures.
 */
export function drawCategories(
  { title, columns }: CategoryChart,
  result: SectionResult,
  changes: SectionChanges | undefined,
): Drawing | undefined {
  const categories = listCategories(result, changes, columns)
  const cells = categories.flatMap((category) => category.cells.map(({ cell }) => cell))
  const [first] = cells
  if (first === undefined) return undefined
  const values = cells.flatMap(({ figure, change }) => [
    figure.value,
    ...(figure.spread ?? []),
    ...(change?.before === undefined ? [] : [change.before.value]),
  ])
  const axis = createAxis(values, [LEFT, RIGHT], { isFromZero: true })

  function renderCell(cell: Cell, series: number, y: number): Markup {
    const { figure, change, column } = cell
    const x = axis.toPixel(figure.value)
    const [lowest, highest] = figure.spread ?? [figure.value, figure.value]
    const low = axis.toPixel(lowest)
    const high = axis.toPixel(highest)
    const before = change?.before === undefined ? undefined : axis.toPixel(change.before.value)
    const left = Math.min(x, low, before ?? x)
    const right = Math.max(x, high, before ?? x)
    // The label is on the side with more space.
    const isRight = RIGHT - right >= left - LEFT
    const value = formatWithUnit(figure.value, column)
    return html`
      <line class="spread color-${series % 4}" x1="${round(low)}" x2="${round(high)}" y1="${y}" y2="${y}"/>
      ${before === undefined ? '' : renderMark(series, before, y, true)}
      ${renderMark(series, x, y)}
      <text class="label" x="${round(isRight ? right + LABEL_GAP : left - LABEL_GAP)}" y="${y + 4}"
        text-anchor="${isRight ? 'start' : 'end'}">${value}${columns.length > 1 ? `, ${column.name}` : ''}</text>`
  }

  let bottom = 4
  const rows = categories.map((category) => {
    const nameY = bottom + 16
    const marksY = bottom + NAME_HEIGHT
    bottom = marksY + category.cells.length * MARK_HEIGHT + ROW_GAP
    return html`
    <text class="name" x="${LEFT}" y="${nameY}">${cut(category.name)}</text>
    ${category.cells.map(({ cell, series }, index) => renderCell(cell, series, marksY + index * MARK_HEIGHT + 10))}`
  })
  const { unit } = first.column
  const body = html`
    ${axis.ticks.map(
      ({ value, text }) => html`
    <line class="grid" x1="${round(axis.toPixel(value))}" x2="${round(axis.toPixel(value))}" y1="4" y2="${bottom}"/>
    <text class="tick" x="${round(axis.toPixel(value))}" y="${bottom + 16}" text-anchor="middle">${text}</text>`,
    )}
    <text class="axis" x="${WIDTH / 2}" y="${bottom + 36}" text-anchor="middle">${unit}${axis.isLogarithmic ? ', logarithmic' : ''}</text>
    ${rows}`
  return {
    title,
    description: `A mark for each of ${categories.length} rows of the table below${columns.length > 1 ? `, for ${columns.join(', ')}` : ''}, in ${unit}.`,
    height: bottom + AXIS_HEIGHT,
    body,
    legend: [],
    hasBaseline: cells.some(({ change }) => change?.before !== undefined),
    hasSpread: cells.some(({ figure }) => figure.spread !== undefined),
  }
}
