import { OrderStatus } from '@mintmark/orders'
import type { Option } from '../../components/field.tsx'
import { formatOrderStatus } from '../../components/order-status.tsx'
import { PERIOD_DAYS, type PeriodName } from '../../navigation/period.ts'
import { marketTypeTexts, ordersTexts } from '../../texts/orders.ts'

/** The statuses of orders, for a filter. */
export const statusOptions: readonly Option[] = Object.values(OrderStatus).map((status) => ({
  value: String(status),
  label: formatOrderStatus(status),
}))

/** The kinds of sales, for a filter. */
export const typeOptions: readonly Option[] = Object.entries(marketTypeTexts).map(([value, label]) => ({
  value,
  label,
}))

/** The periods in which orders were placed, for a filter. */
export const periodOptions: readonly Option[] = Object.keys(PERIOD_DAYS).map((value) => ({
  value,
  label: ordersTexts.periods[value as PeriodName],
}))
