import { type ReactNode, useId } from 'react'
import { FilterSelect } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Segments } from '../../components/segments.tsx'
import { readChoice } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { reportTexts } from '../../texts/reports.ts'
import { RedemptionsReport } from './redemptions-report.tsx'
import { getPeriod, PERIODS, readDay } from './report-periods.ts'
import { SalesReport } from './sales-report.tsx'

const REPORTS = { sales: 'Sales', redemptions: 'Redemptions' } as const
const { day, month, item, store, campaign, person } = reportTexts.by
const SALES_BY = { day, month, item } as const
const REDEMPTIONS_BY = { day, month, store, campaign, person } as const

const toOptions = (choices: Readonly<Record<string, string>>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }))

/** What was sold and what was redeemed in a period, for those who manage the shop and its books. */
export function ReportsPage(): ReactNode {
  const [search, setSearch] = useSearchState('report', 'by', 'period', 'from', 'to')
  const report = readChoice(search.report, REPORTS) ?? 'sales'
  const period = readChoice(search.period, PERIODS) ?? 'month'
  const own = { from: readDay(search.from), to: readDay(search.to) }
  const choice = getPeriod(period, own, Date.now())
  const ofSales = readChoice(search.by, SALES_BY) ?? 'day'
  const ofRedemptions = readChoice(search.by, REDEMPTIONS_BY) ?? 'day'
  const isSales = report === 'sales'
  return (
    <>
      <PageHeader
        title="Reports"
        description={
          isSales
            ? 'Paid orders by the day on which they were placed. A refund counts with its order.'
            : 'Scans of cards by the day on which they were made. An undone scan counts with its scan.'
        }
        actions={
          <Segments
            label="Report"
            value={report}
            options={toOptions(REPORTS)}
            onChange={(value) => setSearch({ report: value, by: undefined })}
          />
        }
      />
      <section className="toolbar screen-only" aria-label="Filters">
        <FilterSelect
          label="By"
          value={isSales ? ofSales : ofRedemptions}
          options={toOptions(isSales ? SALES_BY : REDEMPTIONS_BY)}
          hasAll={false}
          onChange={(by) => setSearch({ by })}
        />
        <FilterSelect
          label="Period"
          value={period}
          options={toOptions(PERIODS)}
          hasAll={false}
          onChange={(value) => setSearch({ period: value, from: undefined, to: undefined })}
        />
        {period === 'own' && (
          <>
            <DayFilter label="First day" value={choice.days.from} onChange={(from) => setSearch({ from })} />
            <DayFilter label="Last day" value={choice.days.to} onChange={(to) => setSearch({ to })} />
          </>
        )}
      </section>
      {isSales ? (
        <SalesReport by={ofSales} {...choice} />
      ) : (
        <RedemptionsReport by={ofRedemptions} {...choice} />
      )}
    </>
  )
}

interface DayFilterProps {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}

function DayFilter({ label, value, onChange }: DayFilterProps): ReactNode {
  const id = useId()
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className="input"
        value={value}
        required
        onChange={({ target }) => {
          // A day is empty while a person types it.
          if (target.value !== '') onChange(target.value)
        }}
      />
    </div>
  )
}
