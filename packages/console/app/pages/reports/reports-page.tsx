import type { ReactNode } from 'react'
import { TextField } from '../../components/field.tsx'
import { FilterSelect } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Segments } from '../../components/segments.tsx'
import { t } from '../../language/translate.ts'
import { readChoice } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { redemptionsReport } from './redemptions-report.ts'
import { BY, type By } from './report-definition.ts'
import { getPeriod, PERIODS, readDay } from './report-periods.ts'
import { ReportSection } from './report-section.tsx'
import { salesReport } from './sales-report.ts'

const REPORTS = { sales: salesReport.title, redemptions: redemptionsReport.title } as const
const { day, month, item, store, campaign, person } = BY
const CHOICES = { sales: { day, month, item }, redemptions: { day, month, store, campaign, person } } as const

const toOptions = (choices: Readonly<Record<string, string>>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }))

/** What was sold and what was redeemed in a period, for those who manage the shop and its books. */
export function ReportsPage(): ReactNode {
  const [search, setSearch] = useSearchState('report', 'by', 'period', 'from', 'to')
  const report = readChoice(search.report, REPORTS) ?? 'sales'
  const period = readChoice(search.period, PERIODS) ?? 'month'
  const own = { from: readDay(search.from), to: readDay(search.to) }
  const choice = getPeriod(period, own, Date.now())
  const by = readChoice<By>(search.by, CHOICES[report] as Readonly<Record<By, string>>) ?? 'day'
  const { description } = report === 'sales' ? salesReport : redemptionsReport
  return (
    <>
      <PageHeader
        title={t('Reports')}
        description={description}
        actions={
          <Segments
            label={t('Report')}
            value={report}
            options={toOptions(REPORTS)}
            onChange={(value) => setSearch({ report: value, by: undefined })}
          />
        }
      />
      <section className="toolbar screen-only" aria-label={t('Filters')}>
        <FilterSelect
          label={t('By')}
          value={by}
          options={toOptions(CHOICES[report])}
          hasAll={false}
          onChange={(value) => setSearch({ by: value })}
        />
        <FilterSelect
          label={t('Period')}
          value={period}
          options={toOptions(PERIODS)}
          hasAll={false}
          onChange={(value) => setSearch({ period: value, from: undefined, to: undefined })}
        />
        {period === 'own' && (
          <>
            <DayFilter
              label={t('First day')}
              value={choice.days.from}
              onChange={(from) => setSearch({ from })}
            />
            <DayFilter label={t('Last day')} value={choice.days.to} onChange={(to) => setSearch({ to })} />
          </>
        )}
      </section>
      {report === 'sales' ? (
        <ReportSection report={salesReport} by={by} {...choice} />
      ) : (
        <ReportSection report={redemptionsReport} by={by} {...choice} />
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
  // A day is empty while a person types it.
  const enter = (day: string) => day !== '' && onChange(day)
  return <TextField label={label} type="date" value={value} required onChange={enter} isFilter />
}
