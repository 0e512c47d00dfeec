import { OrderStatus } from '@mintmark/orders'
import { type EventSource, eventSource } from '../../database/event-source.ts'
import { NOBODY } from '../../database/references.ts'
import { orderOf } from './order-records.ts'

/** The event of a new status, by the status. No order becomes PRE again. */
const STATUS_EVENTS = {
  [OrderStatus.IN_PROGRESS]: 'order.pending',
  [OrderStatus.SUCCESS]: 'order.paid',
  [OrderStatus.FAILED]: 'order.failed',
  [OrderStatus.CANCELLED]: 'order.cancelled',
  [OrderStatus.EXPIRED]: 'order.expired',
  [OrderStatus.UNRESOLVED]: 'order.unresolved',
} as const

type NewStatus = keyof typeof STATUS_EVENTS

const isNewStatus = (status: number): status is NewStatus => status in STATUS_EVENTS

/** Chooses the event of a changed status. Returns false if it is unchanged. */
function chooseStatusEvent(before: { status: number } | undefined, after: { id: number; status: number }) {
  if (before === undefined || before.status === after.status) return false
  if (!isNewStatus(after.status)) throw new Error(`Order ${after.id} has the unknown status ${after.status}`)
  return STATUS_EVENTS[after.status]
}

/**
 * The events about orders. One change can have several, such as a late payment that makes an order successful
 * and a refund due.
 */
export const orderEventSources: readonly EventSource[] = [
  eventSource('gateway.orders', ({ before, after }) => {
    if (after === undefined) return []
    const subject = `order/${after.id}`
    // The status is the stored one: a job writes that an order has expired, and that is an event of its own.
    // All readers of the feed see the event, so that it contains no reference.
    const data = orderOf({ ...after, expired: false }, NOBODY)
    const types = [
      before === undefined && 'order.created',
      chooseStatusEvent(before, after),
      after.delivery === 'done' && before?.delivery !== 'done' && 'order.delivered',
      after.refund_due && before?.refund_due !== true && 'order.refund_due',
      !after.refund_due && before?.refund_due === true && 'order.refunded',
      after.deleted && before?.deleted !== true && 'order.removed',
    ] as const
    const events = types.filter((type) => type !== false).map((type) => ({ type, subject, data }))
    if (events.length === 0 && !after.deleted) return [{ type: 'order.updated', subject, data }]
    return events
  }),
]
