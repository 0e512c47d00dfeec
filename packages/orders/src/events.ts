import { defineEvents, type EventDataOf } from '@mintmark/operation'
import { Order } from './order-info.ts'

/**
 * The events about orders. Their subject is `order/` and the order's id; `data` is the order after the
 * change.
 */
export const orderEvents = defineEvents({
  'order.created': {
    description: 'An order was placed. Its stock is reserved until it is paid or expires.',
    data: Order,
  },
  'order.pending': {
    description: 'A payment was reported and is being verified on the chain.',
    data: Order,
  },
  'order.updated': {
    description: 'Another field of an order changed, such as the newest reported transaction.',
    data: Order,
  },
  'order.paid': { description: 'The payment is final. The order is successful.', data: Order },
  'order.failed': { description: 'The payment failed or was refused; `reason` says why.', data: Order },
  'order.cancelled': { description: 'An order was cancelled before it was paid.', data: Order },
  'order.expired': {
    description: 'An order was not paid in time. Its stock is available again.',
    data: Order,
  },
  'order.unresolved': {
    description: 'The outcome of a payment needs a decision; `reason` says why.',
    data: Order,
  },
  'order.delivered': {
    description: 'The chain has confirmed the mint or the transfer to the buyer.',
    data: Order,
  },
  'order.refund_due': { description: 'The seller owes the buyer a refund.', data: Order },
  'order.refunded': { description: 'A refund that was due is paid.', data: Order },
  'order.removed': { description: 'An unsuccessful order was removed from the lists.', data: Order },
})
export type OrderEvents = EventDataOf<typeof orderEvents>
