import { findOrderStatusName, type Order, type OrderStatusName } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { orderReasonTexts } from '../texts/orders.ts'
import { Badge, type Statuses, type Tone } from './badge.tsx'

/** What each status means for a person. */
const orderStatuses: Statuses<OrderStatusName> = {
  PRE: [t('Waits for payment'), 'info'],
  IN_PROGRESS: [t('Confirming'), 'info'],
  SUCCESS: [t('Paid'), 'success'],
  FAILED: [t('Failed'), 'danger'],
  CANCELLED: [t('Cancelled'), 'neutral'],
  EXPIRED: [t('Expired'), 'neutral'],
  UNRESOLVED: [t('Needs a decision'), 'warning'],
}

/** Formats a status. One that a newer server added is shown as its number. */
export function formatOrderStatus(orderStatus: number): string {
  const name = findOrderStatusName({ orderStatus })
  return name === undefined ? String(orderStatus) : orderStatuses[name][0]
}

/** Returns what a status means for a person. */
export function getOrderTone(orderStatus: number): Tone {
  const name = findOrderStatusName({ orderStatus })
  return name === undefined ? 'neutral' : orderStatuses[name][1]
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
      {order.refundDue && <Badge tone="danger">{t('Refund due')}</Badge>}
    </span>
  )
}
