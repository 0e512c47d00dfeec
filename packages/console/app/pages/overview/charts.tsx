import { eventCards, membershipCards, promoCodeCards, type VerificationRecord } from '@mintmark/cards'
import { OrderStatus, orders } from '@mintmark/orders'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import type { Series } from '../../components/line-chart.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { useNow } from '../../components/time.tsx'
import { formatAmount } from '../../format/amount.ts'
import { formatCompactCount, formatCount } from '../../format/number.ts'
import { type Day, formatDay } from '../../format/time.ts'
import { overviewTexts } from '../../texts/overview.ts'
import { sumRevenue } from './revenue.ts'
import { countByDay, type PeriodStatistics } from './statistics.ts'
import { type DailyStatistics, useChartDays, useDailyStatistics } from './use-daily-statistics.ts'

const texts = overviewTexts.charts

const LineChart = lazy(async () => ({ default: (await import('../../components/line-chart.tsx')).LineChart }))

/** Charts of the last 30 days: orders, revenue and scans of cards. */
export function Charts(): ReactNode {
  const days = useChartDays(useNow())
  const paid = useDailyStatistics(orders.list, { orderStatus: OrderStatus.SUCCESS }, days)
  return (
    <Section title={texts.title}>
      <div className="panel-grid">
        <OrdersChart days={days} paid={paid} />
        <RevenueCharts days={days} paid={paid} />
        <ScansChart days={days} />
      </div>
    </Section>
  )
}

interface ChartPanelProps {
  readonly title: string
  /** The sum of the period; undefined while it is read. */
  readonly total: string | undefined
  readonly days: readonly Day[]
  readonly series: readonly Series[] | undefined
  readonly error: Error | null
  readonly formatValue?: (value: number) => string
}

function ChartPanel(props: ChartPanelProps): ReactNode {
  const { title, total, days, series, error, formatValue = formatCompactCount } = props
  const labels = useMemo(() => days.map(({ from }) => formatDay(from)), [days])
  return (
    <article className="panel stack-small">
      <header className="chart-header">
        <h3>{title}</h3>
        {total !== undefined && <p className="chart-total numeric">{total}</p>}
      </header>
      <ErrorNotice error={error} />
      {error === null && (
        <Suspense fallback={<Skeleton lines={5} />}>
          {series === undefined ? (
            <Skeleton lines={5} />
          ) : (
            <LineChart label={title} labels={labels} series={series} formatValue={formatValue} />
          )}
        </Suspense>
      )}
    </article>
  )
}

type OrderItem = Parameters<typeof sumRevenue>[0][number]

interface OrdersChartProps {
  readonly days: readonly Day[]
  readonly paid: DailyStatistics<OrderItem>
}

function OrdersChart({ days, paid }: OrdersChartProps): ReactNode {
  const placed = useDailyStatistics(orders.list, {}, days)
  const series = useMemo(() => {
    if (placed.data === undefined || paid.data === undefined) return undefined
    return [
      { label: texts.placed, values: placed.data.counts },
      { label: texts.paid, values: paid.data.counts },
    ]
  }, [placed.data, paid.data])
  const total = placed.data && formatCount(sum(placed.data.counts))
  return (
    <ChartPanel
      title={texts.orders}
      total={total}
      days={days}
      series={series}
      error={placed.error ?? paid.error}
    />
  )
}

function RevenueCharts({ days, paid: { data, error } }: OrdersChartProps): ReactNode {
  const revenue = useMemo(() => data?.items && sumRevenue(data.items, days), [data, days])
  if (data === undefined || error !== null) {
    return (
      <ChartPanel
        title={texts.revenueUnknown}
        total={undefined}
        days={days}
        series={undefined}
        error={error}
      />
    )
  }
  if (revenue === undefined || revenue.length === 0) {
    return (
      <article className="panel stack-small">
        <h3>{texts.revenueUnknown}</h3>
        <p className="muted">{revenue === undefined ? texts.revenueTooMany : texts.none}</p>
      </article>
    )
  }
  return revenue.map(({ token, decimals, total, values }) => (
    <RevenuePanel
      key={token}
      days={days}
      token={token}
      total={formatAmount({ baseUnits: total, decimals })}
      values={values}
    />
  ))
}

interface RevenuePanelProps {
  readonly days: readonly Day[]
  readonly token: string
  readonly total: string
  readonly values: readonly number[]
}

function RevenuePanel({ days, token, total, values }: RevenuePanelProps): ReactNode {
  const series = useMemo(() => [{ label: token, values }], [token, values])
  return <ChartPanel title={texts.revenue(token)} total={total} days={days} series={series} error={null} />
}

function ScansChart({ days }: { readonly days: readonly Day[] }): ReactNode {
  const promo = useDailyStatistics(promoCodeCards.verifications, {}, days)
  const event = useDailyStatistics(eventCards.verifications, {}, days)
  const membership = useDailyStatistics(membershipCards.verifications, {}, days)
  const series = useMemo(() => {
    const programs = [promo.data, event.data, membership.data].filter((data) => data !== undefined)
    return programs.length === 3 ? listScanSeries(programs, days) : undefined
  }, [promo.data, event.data, membership.data, days])
  const total = series && formatCount(sum(series.flatMap(({ values }) => values)))
  return (
    <ChartPanel
      title={texts.scans}
      total={total}
      days={days}
      series={series}
      error={promo.error ?? event.error ?? membership.error}
    />
  )
}

interface CountSeries {
  readonly label: string
  readonly values: readonly number[]
}

/** Adds up the scans of all programs: by their result if all of them were read, otherwise only their number. */
function listScanSeries(
  programs: readonly PeriodStatistics<VerificationRecord>[],
  days: readonly Day[],
): readonly CountSeries[] {
  const items = programs.flatMap((program) => program.items ?? [])
  if (programs.some((program) => program.items === undefined)) {
    const values = days.map((_, day) => sum(programs.map(({ counts }) => counts[day] ?? 0)))
    return [{ label: texts.all, values }]
  }
  const countOf = (isOk: boolean) =>
    countByDay(
      items.filter(({ result }) => (result === 'OK') === isOk),
      days,
    )
  return [
    { label: texts.accepted, values: countOf(true) },
    { label: texts.refused, values: countOf(false) },
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
