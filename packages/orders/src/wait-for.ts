import { isMintmarkError, TimeoutError } from '@mintmark/envelope'
import { createCallError, type OperationShape, wait } from '@mintmark/operation'
import { type Order, OrderStatus } from './order-info.ts'
import { findOrderStatusName } from './order-status-name.ts'

export interface WaitForOrderInput {
  /** The order's number. */
  orderNo: string
  /**
   * `ended` (default): the payment was confirmed, or the order failed, expired, was cancelled or needs a
   * person. `delivered`: also, for a paid order, the chain has confirmed the delivery. Or a function of the
   * order.
   */
  until?: 'ended' | 'delivered' | ((order: Order) => boolean) | undefined
  /** Milliseconds; default 120,000. */
  timeout?: number | undefined
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

const DEFAULT_TIMEOUT_MS = 120_000
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 5000
const PAUSE_GROWTH = 1.5

function isEnded({ orderStatus }: Order): boolean {
  return orderStatus !== OrderStatus.PRE && orderStatus !== OrderStatus.IN_PROGRESS
}

function isDelivered(order: Order): boolean {
  return isEnded(order) && order.delivery !== 'pending'
}

const CONDITIONS = { ended: isEnded, delivered: isDelivered }

/**
 * Reads an order again and again, until the condition holds. Errors that pass are ignored until the time is
 * over.
 */
export async function waitForOrder(
  operation: OperationShape,
  read: (signal: AbortSignal | undefined) => Promise<Order>,
  { orderNo, until = 'ended', timeout = DEFAULT_TIMEOUT_MS, signal }: WaitForOrderInput,
): Promise<Order> {
  const isReached = typeof until === 'function' ? until : CONDITIONS[until]
  const endsAt = Date.now() + timeout
  let pause = FIRST_PAUSE_MS
  let state = 'could not be read'
  let cause: unknown
  for (;;) {
    try {
      const order = await read(signal)
      if (isReached(order)) return order
      const status = findOrderStatusName(order) ?? order.orderStatus
      state = `still has the status ${status}${order.delivery && `, delivery ${order.delivery}`}`
      cause = undefined
    } catch (error) {
      if (!isMintmarkError(error) || !error.retryable) throw error
      cause = error
    }
    const left = endsAt - Date.now()
    if (left <= 0) {
      const message = `after ${timeout} ms, order ${orderNo} ${state}`
      throw createCallError(TimeoutError, operation, message, undefined, { cause })
    }
    await wait(Math.min(pause, left), signal)
    pause = Math.min(pause * PAUSE_GROWTH, MAX_PAUSE_MS)
  }
}
