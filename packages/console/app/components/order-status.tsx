import { findOrderStatusName, type Order, type OrderStatusName } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { orderReasonTexts, orderStatusTexts } from '../texts/orders.ts'
import { Badge, type Tone } from './badge.tsx'

/** What each status means for a person. */
const ORDER_STATUS_TONES: Readonly<Record<OrderStatusName, Tone>> = {
  PRE: 'info',
  IN_PROGRESS: 'info',
  SUCCESS: 'success',
  FAILED: 'danger',
  CANCELLED: 'neutral',
  EXPIRED: 'neutral',
  UNRESOLVED: 'warning',
}

/** Formats a status. One that a newer server added is shown as its number. */
export function formatOrderStatus(orderStatus: number): string {
  const name = findOrderStatusName({ orderStatus })
  return name === undefined ? String(orderStatus) : orderStatusTexts[name]
}

/** Returns what a status means for a person. */
export function getOrderTone(orderStatus: number): Tone {
  const name = findOrderStatusName({ orderStatus })
  return name === undefined ? 'neutral' : ORDER_STATUS_TONES[name]
}

/** Formats why an order has its status. An operator's reason is shown as it was written. */
export function formatOrderReason(reason: string): string {
  const texts: Readonly<Record<string, string>> = orderReasonTexts
  return texts[reason] ?? reason
}

/** Shows the status of an order, and whether a refund is due. */
export function OrderStatusBadge({ order }: { readonly order: Order }): ReactNode {
  return (
    <span className="row">
      <Badge tone={getOrderTone(order.orderStatus)}>{formatOrderStatus(order.orderStatus)}</Badge>
      {order.refundDue && <Badge tone="danger">Refund due</Badge>}
    </span>
  )
}
