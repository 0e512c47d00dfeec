import { OrderStatus, orders } from '@mintmark/orders'
import { orderColumns } from '../../components/order-columns.tsx'
import { formatOrderStatus } from '../../components/order-status.tsx'
import { defineResource } from '../../components/resource.tsx'
import { getTimeRange } from '../../navigation/period.ts'
import { marketTypeTexts } from '../../texts/orders.ts'

const statuses = Object.fromEntries(
  Object.values(OrderStatus).map((status) => [String(status), formatOrderStatus(status)]),
)
const periods = { today: 'Today', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 90 days' }

/** The orders of a project: search, filters by status, kind of sale and time. */
export const OrdersPage = defineResource(orders.list, {
  title: 'Orders',
  filters: {
    q: { label: 'Search by order number or name', toInput: (searchKey) => ({ searchKey }) },
    status: { label: 'Status', options: statuses, toInput: (status) => ({ orderStatus: Number(status) }) },
    type: {
      label: 'Kind of sale',
      options: marketTypeTexts,
      toInput: (type) => ({ marketType: Number(type) }),
    },
    refund: { label: 'Refund', options: { due: 'Refund due' }, toInput: () => ({ refundDue: true }) },
    period: { label: 'Placed', options: periods, toInput: (period) => getTimeRange(period, Date.now()) },
  },
  columns: orderColumns,
  getKey: ({ orderNo }) => orderNo,
  link: ({ orderNo }) => `orders/${orderNo}`,
  empty: {
    icon: 'orders',
    title: 'No orders yet',
    advice: 'Orders appear here as soon as somebody buys something of the project.',
  },
})
