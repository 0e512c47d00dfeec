import { OrderStatus, orders } from '@mintmark/orders'
import { orderColumns } from '../../components/order-columns.tsx'
import { formatOrderStatus } from '../../components/order-status.tsx'
import { defineResource } from '../../components/resource.tsx'
import { t } from '../../language/translate.ts'
import { getTimeRange } from '../../navigation/period.ts'
import { marketTypeTexts } from '../../texts/orders.ts'

const statuses = Object.fromEntries(
  Object.values(OrderStatus).map((status) => [String(status), formatOrderStatus(status)]),
)
const periods = {
  today: t('Today'),
  week: t('Last 7 days'),
  month: t('Last 30 days'),
  quarter: t('Last 90 days'),
}

/** The orders of a project: search, filters by status, kind of sale and time. */
export const OrdersPage = defineResource(orders.list, {
  title: t('Orders'),
  filters: {
    q: { label: t('Search by order number or name'), toInput: (searchKey) => ({ searchKey }) },
    status: { label: t('Status'), options: statuses, toInput: (status) => ({ orderStatus: Number(status) }) },
    type: {
      label: t('Kind of sale'),
      options: marketTypeTexts,
      toInput: (type) => ({ marketType: Number(type) }),
    },
    refund: { label: t('Refund'), options: { due: t('Refund due') }, toInput: () => ({ refundDue: true }) },
    period: { label: t('Placed'), options: periods, toInput: (period) => getTimeRange(period, Date.now()) },
  },
  columns: orderColumns,
  getKey: ({ orderNo }) => orderNo,
  link: ({ orderNo }) => `orders/${orderNo}`,
  empty: {
    icon: 'orders',
    title: t('No orders yet'),
    advice: t('Orders appear here as soon as somebody buys something of the project.'),
  },
})
