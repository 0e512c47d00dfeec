import type { DailyTotals } from '@mintmark/admin'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Chart, chartScript, type Series } from '../../components/chart.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Figure } from '../../components/figure.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { formatAmount } from '../../format/amount.ts'
import { formatChange, formatCompactAmount, formatCompactCount, formatCount } from '../../format/number.ts'
import { formatDay } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { ofPeriod, ofPeriodBefore, sum, useProjectTotals } from './project-totals.ts'
import { type ChartedRevenue, listChartedRevenue } from './revenue.ts'

/** What happened in a period: four figures with their change, and a chart of each that has something to show. */
export function Totals({ days }: { readonly days: number }): ReactNode {
  // The script loads while the totals are read.
  useQuery(chartScript)
  const query = useProjectTotals(days)
  return (
    <Section title={t('Last {days} days', { days })}>
      <QueryView query={query}>{(totals) => <PeriodTotals totals={totals} />}</QueryView>
    </Section>
  )
}

function PeriodTotals({ totals }: { readonly totals: DailyTotals }): ReactNode {
  const { scansAccepted, scansRefused, ordersPaid } = totals
  const revenue = useMemo(() => listChartedRevenue(totals), [totals])
  return (
    <>
      <dl className="figures">
        <CountFigure label={t('Cards redeemed')} values={scansAccepted} />
        <CountFigure label={t('Scans refused')} values={scansRefused} />
        <CountFigure label={t('Orders paid')} values={ordersPaid} />
        <RevenueFigure revenue={revenue} />
      </dl>
      <Charts totals={totals} revenue={revenue} />
    </>
  )
}

function CountFigure({ label, values }: { label: string; values: readonly number[] }): ReactNode {
  const [now, before] = [sum(ofPeriod(values)), sum(ofPeriodBefore(values))]
  return <Figure label={label} value={formatCount(now)} change={formatChange(now, before)} />
}

/** What was paid in the token with the most orders. The others have charts. */
function RevenueFigure({ revenue }: { readonly revenue: readonly ChartedRevenue[] }): ReactNode {
  const [main] = revenue
  if (main === undefined) return <Figure label={t('Revenue')} value="0" change="" />
  return (
    <Figure
      label={t('Revenue in {token}', { token: main.token })}
      value={formatAmount({ baseUnits: main.total, decimals: main.decimals })}
      change={formatChange(sum(main.values), main.before)}
    />
  )
}

interface ChartsProps {
  readonly totals: DailyTotals
  readonly revenue: readonly ChartedRevenue[]
}

function Charts({ totals, revenue }: ChartsProps): ReactNode {
  // A day is at noon the same in each time zone of its place.
  const labels = useMemo(() => ofPeriod(totals.days).map((day) => formatDay(`${day}T12:00:00`)), [totals])
  const scans = useMemo(
    (): readonly Series[] => [
      { label: t('Accepted'), values: ofPeriod(totals.scansAccepted), color: '--success' },
      { label: t('Refused'), values: ofPeriod(totals.scansRefused), color: '--danger', isDashed: true },
    ],
    [totals],
  )
  const orders = useMemo(
    (): readonly Series[] => [
      { label: t('Placed'), values: ofPeriod(totals.ordersPlaced) },
      { label: t('Paid'), values: ofPeriod(totals.ordersPaid) },
    ],
    [totals],
  )
  return (
    <div className="panel-grid">
      <ChartPanel
        title={t('Scans of cards')}
        labels={labels}
        series={scans}
        formatValue={formatCompactCount}
      />
      <ChartPanel
        title={t('Orders')}
        total={formatCount(sum(ofPeriod(totals.ordersPlaced)))}
        labels={labels}
        series={orders}
        formatValue={formatCompactCount}
      />
      {revenue.map((each) => (
        <RevenuePanel key={each.token} revenue={each} labels={labels} />
      ))}
    </div>
  )
}

function RevenuePanel({
  revenue,
  labels,
}: {
  revenue: ChartedRevenue
  labels: readonly string[]
}): ReactNode {
  const { token, values, total, decimals } = revenue
  const series = useMemo(() => [{ label: token, values }], [token, values])
  return (
    <ChartPanel
      title={t('Revenue in {token}', { token })}
      total={formatAmount({ baseUnits: total, decimals })}
      labels={labels}
      series={series}
      formatValue={formatCompactAmount}
    />
  )
}

interface ChartPanelProps {
  readonly title: string
  /** What the period adds up to, for a chart whose figure is not above. */
  readonly total?: string
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly formatValue: (value: number) => string
}

/** A chart with its title. Nothing while there is nothing to show. */
function ChartPanel({ title, total, labels, series, formatValue }: ChartPanelProps): ReactNode {
  if (series.every(({ values }) => values.every((value) => value === 0))) return null
  return (
    <article className="panel stack-small">
      <header className="section-header">
        <h3>{title}</h3>
        {total !== undefined && <p className="numeric">{total}</p>}
      </header>
      <Chart label={title} labels={labels} series={series} formatValue={formatValue} />
    </article>
  )
}
