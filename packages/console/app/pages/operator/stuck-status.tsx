import type { StuckOrder } from '@mintmark/admin'
import type { OrderStatusName } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { stuckOrdersTexts as texts } from '../../texts/operator.ts'
import { orderStatusTexts } from '../../texts/orders.ts'
import { ORDER_STATUS_TONES } from '../orders/order-status.tsx'

/** Shows the status of an order, and what is owed. */
export function StuckStatus({ order }: { readonly order: StuckOrder }): ReactNode {
  const { status, refundDue, delivery } = order
  const names: Readonly<Record<string, string>> = orderStatusTexts
  return (
    <span className="row">
      {/* A status that a newer server added has no tone. */}
      <Badge tone={ORDER_STATUS_TONES[status as OrderStatusName] ?? 'neutral'}>
        {names[status] ?? status}
      </Badge>
      {refundDue && <Badge tone="danger">{texts.refundDue}</Badge>}
      {delivery === 'pending' && <Badge tone="warning">{texts.deliveryPending}</Badge>}
    </span>
  )
}
