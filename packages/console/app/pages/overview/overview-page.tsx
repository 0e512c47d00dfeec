import { orders } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { orderColumns } from '../../components/order-columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Segments } from '../../components/segments.tsx'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
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
        title={t('Home')}
        actions={
          <Segments
            label={t('Period')}
            value={days}
            options={PERIODS.map((value) => ({ value, label: t('{value} days', { value }) }))}
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

const { nftName, orderStatus, payAmount, createTime } = orderColumns
const columns = { nftName, orderStatus, payAmount, createTime }

/** The newest orders. Nothing in a project without orders. */
function NewestOrders(): ReactNode {
  const { data } = useOperation(orders.list, { pageSize: 5 })
  if (data === undefined || data.list.length === 0) return null
  return (
    <Section title={t('Newest orders')} actions={<ProjectLink to="orders">{t('All orders')}</ProjectLink>}>
      <DataTable
        label={t('Newest orders')}
        columns={columns}
        rows={data.list}
        getKey={({ orderNo }) => orderNo}
        link={({ orderNo }) => `orders/${orderNo}`}
      />
    </Section>
  )
}
