import { type DailyTotals, dailyTotals } from '@mintmark/admin'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Chart, chartScript, type Series } from '../../components/chart.tsx'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { formatAmount } from '../../format/amount.ts'
import { formatCompactAmount, formatCompactCount, formatCount } from '../../format/number.ts'
import { formatDay, getTimeZone } from '../../format/time.ts'
import { overviewTexts } from '../../texts/overview.ts'
import { listChartedRevenue } from './revenue.ts'

const texts = overviewTexts.charts

/** Charts of the last 30 days: orders, revenue and scans of cards. */
export function Charts(): ReactNode {
  // The script loads while the totals are read.
  useQuery(chartScript)
  const { data, error } = useOperation(dailyTotals.get, { timeZone: getTimeZone() })
  return (
    <Section title={texts.title}>
      {error === null ? (
        <div className="panel-grid">
          {data === undefined ? <WaitingCharts /> : <TotalCharts totals={data} />}
        </div>
      ) : (
        <ErrorNotice error={error} />
      )}
    </Section>
  )
}

function WaitingCharts(): ReactNode {
  return [texts.orders, texts.revenueUnknown, texts.scans].map((title) => (
    <article key={title} className="panel stack-small">
      <h3>{title}</h3>
      <Skeleton lines={5} />
    </article>
  ))
}

function TotalCharts({ totals }: { readonly totals: DailyTotals }): ReactNode {
  const { days, ordersPlaced, ordersPaid, scansAccepted, scansRefused } = totals
  const orders = useMemo(
    () => [
      { label: texts.placed, values: ordersPlaced },
      { label: texts.paid, values: ordersPaid },
    ],
    [ordersPlaced, ordersPaid],
  )
  const scans = useMemo(
    () => [
      { label: texts.accepted, values: scansAccepted },
      { label: texts.refused, values: scansRefused },
    ],
    [scansAccepted, scansRefused],
  )
  return (
    <>
      <ChartPanel title={texts.orders} total={formatCount(sum(ordersPlaced))} days={days} series={orders} />
      <RevenueCharts totals={totals} />
      <ChartPanel
        title={texts.scans}
        total={formatCount(sum([...scansAccepted, ...scansRefused]))}
        days={days}
        series={scans}
      />
    </>
  )
}

interface ChartPanelProps {
  readonly title: string
  /** The sum of the period. */
  readonly total: string
  /** Such as `2026-03-31`. */
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** Default: counts. */
  readonly formatValue?: (value: number) => string
}

function ChartPanel({
  title,
  total,
  days,
  series,
  formatValue = formatCompactCount,
}: ChartPanelProps): ReactNode {
  // A day is at noon the same in each time zone of its place.
  const labels = useMemo(() => days.map((day) => formatDay(`${day}T12:00:00`)), [days])
  return (
    <article className="panel stack-small">
      <header className="chart-header">
        <h3>{title}</h3>
        <p className="chart-total numeric">{total}</p>
      </header>
      <Chart label={title} labels={labels} series={series} formatValue={formatValue} />
    </article>
  )
}

function RevenueCharts({ totals }: { readonly totals: DailyTotals }): ReactNode {
  const revenue = useMemo(() => listChartedRevenue(totals), [totals])
  if (revenue.length === 0) {
    return (
      <article className="panel stack-small">
        <h3>{texts.revenueUnknown}</h3>
        <p className="muted">{texts.none}</p>
      </article>
    )
  }
  return revenue.map(({ token, decimals, total, values }) => (
    <RevenuePanel
      key={token}
      days={totals.days}
      token={token}
      total={formatAmount({ baseUnits: total, decimals })}
      values={values}
    />
  ))
}

interface RevenuePanelProps {
  readonly days: readonly string[]
  readonly token: string
  readonly total: string
  readonly values: readonly number[]
}

function RevenuePanel({ days, token, total, values }: RevenuePanelProps): ReactNode {
  const series = useMemo(() => [{ label: token, values }], [token, values])
  return (
    <ChartPanel
      title={texts.revenue(token)}
      total={total}
      days={days}
      series={series}
      formatValue={formatCompactAmount}
    />
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
