import type { StuckOrder } from '@mintmark/admin'
import { OrderStatus } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { formatOrderStatus, getOrderTone } from '../../components/order-status.tsx'

const statuses: Readonly<Record<string, number>> = OrderStatus

/** Formats the name of a status. One that a newer server added is shown as it is. */
export function formatStatusName(name: string): string {
  const status = statuses[name]
  return status === undefined ? name : formatOrderStatus(status)
}

/** Shows the status of an order, and what is owed. */
export function StuckStatus({ order }: { readonly order: StuckOrder }): ReactNode {
  const { status, refundDue, delivery } = order
  const number = statuses[status]
  return (
    <span className="row">
      <Badge tone={number === undefined ? 'neutral' : getOrderTone(number)}>{formatStatusName(status)}</Badge>
      {refundDue && <Badge tone="danger">Refund due</Badge>}
      {delivery === 'pending' && <Badge tone="warning">Not delivered</Badge>}
    </span>
  )
}
