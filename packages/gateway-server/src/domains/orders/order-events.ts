import { OrderStatus } from '@mintmark/orders'
import { type EventSource, eventSource } from '../../event-source.ts'
import { orderOf } from './order-records.ts'

/** The event of a new status, by the status. */
const STATUS_EVENTS = {
  [OrderStatus.PRE]: 'order.reopened',
  [OrderStatus.IN_PROGRESS]: 'order.pending',
  [OrderStatus.SUCCESS]: 'order.paid',
  [OrderStatus.FAILED]: 'order.failed',
  [OrderStatus.CANCELLED]: 'order.cancelled',
  [OrderStatus.EXPIRED]: 'order.expired',
  [OrderStatus.UNRESOLVED]: 'order.unresolved',
} as const

const isStatus = (status: number): status is OrderStatus => status in STATUS_EVENTS

/** The events about orders. One change can have several, such as a late payment that makes an order successful and a refund due. */
export const orderEventSources: readonly EventSource[] = [
  eventSource('gateway.orders', ({ before, after }) => {
    if (after === undefined) return []
    const subject = `order/${after.id}`
    // The status is the stored one: a job writes that an order has expired, and that is an event of its own.
    const data = orderOf({ ...after, expired: false })
    if (!isStatus(after.status)) throw new Error(`Order ${after.id} has the unknown status ${after.status}`)
    const types = [
      before === undefined && 'order.created',
      before !== undefined && before.status !== after.status && STATUS_EVENTS[after.status],
      after.delivery === 'done' && before?.delivery !== 'done' && 'order.delivered',
      after.refund_due && before?.refund_due !== true && 'order.refund_due',
      !after.refund_due && before?.refund_due === true && 'order.refunded',
      after.deleted && before?.deleted !== true && 'order.removed',
    ] as const
    return types.filter((type) => type !== false).map((type) => ({ type, subject, data }))
  }),
]
