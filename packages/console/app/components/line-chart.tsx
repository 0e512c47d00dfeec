import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { componentTexts } from '../texts/shell.ts'
import type { ChartProps } from './chart.tsx'
import { findChartTop } from './chart-range.ts'

const COLORS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4'] as const

/** Draws lines over a period. It is drawn again in each theme. `Chart` loads it. */
export function LineChart(props: ChartProps): ReactNode {
  const { label, labels, axis = componentTexts.chartPeriod, series, formatValue } = props
  const { height = 160, hasPoints = false } = props
  const frame = useRef<HTMLDivElement>(null)
  const scheme = useColorScheme()
  const data = useMemo((): UPlot.AlignedData => {
    const positions = labels.map((_, index) => index)
    return [positions, ...series.map(({ values }) => [...values])]
  }, [labels, series])

  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const options = createOptions(element, { labels, axis, series, formatValue, height, hasPoints })
    const chart = new UPlot(options, data, element)
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [data, labels, axis, series, formatValue, height, hasPoints, scheme])

  return <div ref={frame} className="chart-frame" role="img" aria-label={label} />
}

/** Shows the newest values in the legend while nobody points at others. */
function showNewest(chart: UPlot): void {
  const newest = chart.data[0].length - 1
  if (newest >= 0 && typeof chart.cursor.idx !== 'number') chart.setLegend({ idx: newest }, false)
}

/** The steps of an axis of counts, which have no fractions. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

type ChartContent = Required<Omit<ChartProps, 'label'>>

function createOptions(
  element: HTMLElement,
  { labels, axis: axisLabel, series, formatValue, height, hasPoints }: ChartContent,
): UPlot.Options {
  const color = (name: string) => resolveColor(element, name)
  const axis = { stroke: color('--text-faint'), font: '11px system-ui, sans-serif', ticks: { show: false } }
  const grid = { stroke: color('--border'), width: 1 }
  const isWhole = series.every(({ values }) =>
    values.every((value) => value === null || Number.isInteger(value)),
  )
  const findLabel = (position: number) => labels[Math.round(position)] ?? ''
  return {
    width: element.clientWidth,
    height,
    // Labels of single values are longer than those of days.
    padding: [8, hasPoints ? 44 : 12, 0, 0],
    cursor: { y: false, points: { size: 7 } },
    hooks: { ready: [showNewest], setCursor: [showNewest], setData: [showNewest] },
    scales: { x: { time: false }, y: { range: (_chart, _min, max) => [0, findChartTop(max, isWhole)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: hasPoints ? 96 : 64,
        size: 28,
        incrs: [1, 2, 5, 7, 10, 15, 30],
        values: (_chart, positions) => positions.map(findLabel),
      },
      {
        ...axis,
        grid,
        size: 48,
        ...(isWhole && { incrs: WHOLE_STEPS }),
        values: (_chart, values) => values.map(formatValue),
      },
    ],
    series: [
      { label: axisLabel, value: (_chart, value) => (value === null ? '' : findLabel(value)) },
      ...series.map((line, index) => {
        const stroke = color(line.color ?? COLORS[index % COLORS.length] ?? COLORS[0])
        return {
          label: line.label,
          stroke,
          width: 2,
          ...(line.isDashed === true && { dash: [5, 4] }),
          points: { show: hasPoints },
          value: (_chart: UPlot, value: number | null) =>
            value === null ? componentTexts.none : formatValue(value),
        }
      }),
    ],
  }
}

/** Returns the color of a custom property as the canvas needs it. */
function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Returns which colors apply, and renders the component again when they change. */
function useColorScheme(): string {
  const [scheme, setScheme] = useState('')
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)')
    const update = () => setScheme(`${media.matches} ${document.documentElement.dataset.theme ?? ''}`)
    const observer = new MutationObserver(update)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    media.addEventListener('change', update)
    update()
    return () => {
      observer.disconnect()
      media.removeEventListener('change', update)
    }
  }, [])
  return scheme
}
