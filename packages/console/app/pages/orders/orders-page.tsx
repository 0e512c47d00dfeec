import { orders } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { useList } from '../../api/lists.ts'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { orderColumns } from '../../components/order-columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { useNow } from '../../components/time.tsx'
import { getTimeRange } from '../../navigation/period.ts'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { ordersTexts } from '../../texts/orders.ts'
import { periodOptions, statusOptions, typeOptions } from './orders-filters.ts'

/** The orders of a project: search, filters by status, kind of sale and time. */
export function OrdersPage(): ReactNode {
  const { projectName } = useProject()
  const [search, setSearch] = useSearchState('q', 'status', 'type', 'period', 'page')
  const { q, status, type, period, page } = search
  const now = useNow()
  const filters = {
    ...(q !== undefined && { searchKey: q }),
    ...(status !== undefined && { orderStatus: Number(status) }),
    ...(type !== undefined && { marketType: Number(type) }),
    ...getTimeRange(period, now),
  }
  const query = useList(orders.list, filters, { pageNumber: readPageNumber(page) })
  const isFiltered = [q, status, type, period].some((value) => value !== undefined)
  const clear = () => setSearch({ q: undefined, status: undefined, type: undefined, period: undefined })
  return (
    <>
      <PageHeader title={ordersTexts.title} context={projectName} />
      <Toolbar isFiltered={isFiltered} onClear={clear}>
        <SearchField
          label="Search by order number or name"
          value={q ?? ''}
          onSearch={(text) => setSearch({ q: text })}
        />
        <FilterSelect
          label="Status"
          value={status ?? ''}
          options={statusOptions}
          onChange={(value) => setSearch({ status: value })}
        />
        <FilterSelect
          label="Kind of sale"
          value={type ?? ''}
          options={typeOptions}
          onChange={(value) => setSearch({ type: value })}
        />
        <FilterSelect
          label="Placed"
          value={period ?? ''}
          options={periodOptions}
          onChange={(value) => setSearch({ period: value })}
        />
      </Toolbar>
      <ListView
        label={ordersTexts.title}
        query={query}
        columns={orderColumns}
        getKey={({ orderNo }) => orderNo}
        empty={
          <EmptyState
            icon="orders"
            title="No orders yet"
            advice="Orders appear here as soon as somebody buys something of the project."
          />
        }
        isFiltered={isFiltered}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
      />
    </>
  )
}
