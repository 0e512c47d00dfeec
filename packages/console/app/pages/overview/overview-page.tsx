import type { ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { Segments } from '../../components/segments.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewestOrders } from './newest-orders.tsx'
import { DEFAULT_DAYS } from './project-totals.ts'
import { Totals } from './totals.tsx'

const PERIODS = ['7', String(DEFAULT_DAYS), '90']

/**
 * The home page of a project: the first steps of a new one, what needs a person, its figures with the change
 * against the period before, and the newest orders.
 */
export function OverviewPage(): ReactNode {
  const [search, setSearch] = useSearchState('days')
  const days = PERIODS.find((each) => each === search.days) ?? String(DEFAULT_DAYS)
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          <Segments
            label="Period"
            value={days}
            options={PERIODS.map((value) => ({ value, label: `${value} days` }))}
            onChange={(value) => setSearch({ days: value === String(DEFAULT_DAYS) ? undefined : value })}
          />
        }
      />
      <FirstSteps />
      <Attention />
      <Totals days={Number(days)} />
      <NewestOrders />
    </>
  )
}
