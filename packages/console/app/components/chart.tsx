import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { toScriptQuery } from '../api/query-client.ts'
import '../styles/chart.css'
import { errorNoticeTexts } from '../texts/errors.ts'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { Skeleton } from './placeholders.tsx'

/** A line of a chart. */
export interface Series {
  readonly label: string
  /** A value for each label of the axis; null where there is none. */
  readonly values: readonly (number | null)[]
  /** A custom property, where the line has a meaning. Default: a color for each place in the chart. */
  readonly color?: '--success' | '--danger'
  /** Default: no. */
  readonly isDashed?: boolean
}

/** What a chart shows. */
export interface ChartProps {
  /** What the chart shows, for screen readers. */
  readonly label: string
  /** The texts of the axis, such as days. */
  readonly labels: readonly string[]
  /** What a text of the axis is. Default: a period. */
  readonly axis?: string
  /** Up to four lines. */
  readonly series: readonly Series[]
  readonly formatValue: (value: number) => string
  /** Pixels. Default: 160. */
  readonly height?: number
  /** Whether each value has a mark, for few values or a single one. Default: no. */
  readonly hasPoints?: boolean
}

/** Loads the script that draws charts, which pages without charts do not need. */
export const chartScript = toScriptQuery(
  'line-chart',
  async () => (await import('./line-chart.tsx')).LineChart,
)

/**
 * A chart of lines over a period, or the same figures as a table: for those who cannot see it, and when its
 * script cannot be loaded.
 */
export function Chart(props: ChartProps): ReactNode {
  const { data: LineChart, error } = useQuery(chartScript)
  const [isTable, setIsTable] = useState(false)
  const tableId = useId()
  if (error !== null) {
    return (
      <figure className="chart stack-small">
        <FigureTable {...props} id={tableId} />
        <figcaption>
          <Notice
            tone="warning"
            title="The chart could not be loaded"
            action={
              // A browser does not load a module again that failed, and a newer server has other scripts.
              <Button onClick={() => location.reload()}>{errorNoticeTexts.retry}</Button>
            }
          />
        </figcaption>
      </figure>
    )
  }
  if (LineChart === undefined) return <Skeleton />
  return (
    <figure className="chart stack-small">
      {isTable ? <FigureTable {...props} id={tableId} /> : <LineChart {...props} />}
      <figcaption className="chart-caption">
        <Button kind="plain" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Show the figures as a table
        </Button>
      </figcaption>
    </figure>
  )
}

function FigureTable({
  id,
  label,
  labels,
  axis = componentTexts.chartPeriod,
  series,
  formatValue,
}: ChartProps & { readonly id: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long table only if it can have the focus.
    <section className="table-frame frame chart-table" aria-label={label} tabIndex={0}>
      <table className="table" id={id} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{axis}</th>
            {series.map((line) => (
              <th key={line.label} scope="col" className="cell-end">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((text, row) => (
            <tr key={text}>
              <th scope="row">{text}</th>
              {series.map((line) => {
                const value = line.values[row]
                return (
                  <td key={line.label} className="cell-end">
                    {value === null || value === undefined ? componentTexts.none : formatValue(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
