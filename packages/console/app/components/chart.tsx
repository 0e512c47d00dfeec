import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toScriptQuery } from '../api/query-client.ts'
import { t } from '../language/translate.ts'
import '../styles/chart.css'
import { errorNoticeTexts } from '../texts/errors.ts'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'
import { alignEnd, type Columns, DataTable } from './data-table.tsx'
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
  if (error !== null) {
    return (
      <figure className="chart stack-small">
        <FigureTable {...props} />
        <figcaption>
          <Notice
            tone="warning"
            title={t('The chart could not be loaded')}
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
      {isTable ? <FigureTable {...props} /> : <LineChart {...props} />}
      <figcaption className="chart-caption">
        <Button kind="plain" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {t('Show the figures as a table')}
        </Button>
      </figcaption>
    </figure>
  )
}

/** A row of the figures: a text of the axis, and its place. */
interface FigureRow {
  readonly text: string
  readonly place: number
}

function FigureTable({ label, labels, axis = componentTexts.chartPeriod, series, formatValue }: ChartProps) {
  const columns: Columns<FigureRow> = {
    text: axis,
    ...Object.fromEntries(
      series.map((line) => [
        `_${line.label}`,
        alignEnd(line.label, ({ place }: FigureRow) => {
          const value = line.values[place]
          return value === null || value === undefined ? componentTexts.none : formatValue(value)
        }),
      ]),
    ),
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long table only if it can have the focus.
    <section className="chart-table" aria-label={label} tabIndex={0}>
      <DataTable
        label={label}
        columns={columns}
        rows={labels.map((text, place) => ({ text, place }))}
        getKey={({ text }) => text}
      />
    </section>
  )
}
