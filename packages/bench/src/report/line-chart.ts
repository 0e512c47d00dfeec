import { html } from 'hono/html'
import type { SectionChanges } from '../comparison.ts'
import { formatWithUnit } from '../figures.ts'
import type { SectionResult } from '../results.ts'
import type { LineChart } from '../section.ts'
import { type Axis, createAxis } from './axes.ts'
import { type Cell, findCell } from './cells.ts'
import { type Drawing, WIDTH } from './drawing.ts'
import { getLineClass, type Markup, renderMark, round } from './marks.ts'

const HEIGHT = 320
const LEFT = 58
const RIGHT = WIDTH - 14
const TOP = 30
const BOTTOM = HEIGHT - 50

interface Point {
  readonly x: number
  readonly cell: Cell
}

interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

function listSeries(
  { lines }: LineChart,
  result: SectionResult,
  changes: SectionChanges | undefined,
): Series[] {
  return lines.flatMap(({ name, points }) => {
    const found = points.flatMap(({ x, row, column }) => {
      const cell = findCell(result, changes, row, column)
      return cell === undefined ? [] : [{ x, cell }]
    })
    return found.length === 0 ? [] : [{ name, points: found }]
  })
}

function renderAxes(xAxis: Axis, yAxis: Axis, xLabel: string, unit: string): Markup {
  const describe = (label: string, axis: Axis) => (axis.isLogarithmic ? `${label}, logarithmic` : label)
  return html`
    ${yAxis.ticks.map(({ value, text }) => {
      const y = round(yAxis.toPixel(value))
      return html`
    <line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y}" y2="${y}"/>
    <text class="tick" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${text}</text>`
    })}
    ${xAxis.ticks.map(({ value, text }) => {
      const x = round(xAxis.toPixel(value))
      return html`
    <line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${BOTTOM}"/>
    <text class="tick" x="${x}" y="${BOTTOM + 18}" text-anchor="middle">${text}</text>`
    })}
    <text class="axis" x="4" y="16">${describe(unit, yAxis)}</text>
    <text class="axis" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${describe(xLabel, xAxis)}</text>`
}

/** Draws lines over a number. Undefined when the table has no such figures. */
export function drawLines(
  chart: LineChart,
  result: SectionResult,
  changes: SectionChanges | undefined,
): Drawing | undefined {
  const series = listSeries(chart, result, changes)
  const points = series.flatMap((each) => each.points)
  const [first] = points
  if (first === undefined) return undefined
  const values = points.flatMap(({ cell: { figure, change } }) => [
    figure.value,
    ...(figure.spread ?? []),
    ...(change?.before === undefined ? [] : [change.before.value]),
  ])
  const xAxis = createAxis(
    points.map(({ x }) => x),
    [LEFT + 8, RIGHT - 8],
    { isFromZero: false },
  )
  const yAxis = createAxis(values, [BOTTOM, TOP], { isFromZero: true })

  function renderPoint({ x, cell: { figure, change, column } }: Point, index: number): Markup {
    const pixel = round(xAxis.toPixel(x))
    const [low, high] = figure.spread ?? [figure.value, figure.value]
    const before = change?.before
    return html`<g><title>${formatWithUnit(figure.value, column)}</title>
      <line class="spread color-${index % 4}" x1="${pixel}" x2="${pixel}" y1="${round(yAxis.toPixel(low))}" y2="${round(yAxis.toPixel(high))}"/>
      ${before === undefined ? '' : renderMark(index, pixel, yAxis.toPixel(before.value), true)}
      ${renderMark(index, pixel, yAxis.toPixel(figure.value))}</g>`
  }

  const lines = series.map((each, index) => {
    const path = each.points
      .map(({ x, cell }) => `${round(xAxis.toPixel(x))},${round(yAxis.toPixel(cell.figure.value))}`)
      .join(' ')
    return html`
    <polyline class="${getLineClass(index)}" points="${path}"/>
    ${each.points.map((point) => renderPoint(point, index))}`
  })
  const { unit } = first.cell.column
  return {
    title: chart.title,
    description: `${series.length} lines in ${unit} over ${chart.xLabel}: ${series.map(({ name }) => name).join('; ')}. The table below has the figures.`,
    height: HEIGHT,
    body: html`${renderAxes(xAxis, yAxis, chart.xLabel, unit)}${lines}`,
    legend: series.map(({ name }) => name),
    hasBaseline: points.some(({ cell }) => cell.change?.before !== undefined),
    hasSpread: points.some(({ cell }) => cell.figure.spread !== undefined),
  }
}
