import { type Order, orders } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { useList } from '../../api/lists.ts'
import { Amount } from '../../components/amount.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { OrderStatusBadge } from '../../components/order-status.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time, useNow } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { formatPayToken } from '../../format/pay-token.ts'
import { getTimeRange } from '../../navigation/period.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { ordersTexts } from '../../texts/orders.ts'
import { periodOptions, statusOptions, typeOptions } from './orders-filters.ts'

const { columns: headers } = ordersTexts

const columns: readonly Column<Order>[] = [
  {
    key: 'item',
    header: headers.item,
    cell: (order) => (
      <ProjectLink to={`orders/${order.orderNo}`} className="row-link">
        {formatItem(order)}
      </ProjectLink>
    ),
  },
  { key: 'number', header: headers.number, cell: ({ orderNo }) => <Identifier value={orderNo} /> },
  { key: 'status', header: headers.status, cell: (order) => <OrderStatusBadge order={order} /> },
  {
    key: 'amount',
    header: headers.amount,
    align: 'end',
    cell: ({ payAmount, payTokenDecimals, chainId, payTokenAddress }) => (
      <Amount
        baseUnits={payAmount}
        decimals={payTokenDecimals}
        symbol={formatPayToken(chainId, payTokenAddress)}
      />
    ),
  },
  { key: 'buyer', header: headers.buyer, cell: ({ recipient }) => <Identifier value={recipient} /> },
  { key: 'placed', header: headers.placed, cell: ({ createTime }) => <Time value={createTime} /> },
]

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
        <SearchField label={ordersTexts.search} value={q ?? ''} onSearch={(text) => setSearch({ q: text })} />
        <FilterSelect
          label={ordersTexts.filters.status}
          value={status ?? ''}
          options={statusOptions}
          onChange={(value) => setSearch({ status: value })}
        />
        <FilterSelect
          label={ordersTexts.filters.type}
          value={type ?? ''}
          options={typeOptions}
          onChange={(value) => setSearch({ type: value })}
        />
        <FilterSelect
          label={ordersTexts.filters.period}
          value={period ?? ''}
          options={periodOptions}
          onChange={(value) => setSearch({ period: value })}
        />
      </Toolbar>
      <ListView
        label={ordersTexts.title}
        query={query}
        columns={columns}
        getKey={({ orderNo }) => orderNo}
        empty={<EmptyState icon="orders" {...ordersTexts.empty} />}
        isFiltered={isFiltered}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
      />
    </>
  )
}

/** Formats what was ordered: the name of the token, with the quantity if there are several. */
function formatItem({ nftName, quantity }: Order): string {
  const name = nftName === '' ? ordersTexts.noName : nftName
  return quantity === 1 ? name : ordersTexts.quantityOf(formatCount(quantity), name)
}
