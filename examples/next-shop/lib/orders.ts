import 'server-only'
import { isMintmarkError, NotFoundError } from '@mintmark/envelope'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { getGateway } from './gateway.ts'
import { hasAccess } from './order-access.ts'
import { findStoredOrder } from './order-store.ts'

/** How long a request for the next status stays open. Proxies often end requests after 30 seconds. */
const WAIT_MS = 20_000

export function isOpen({ orderStatus }: Order): boolean {
  return orderStatus === OrderStatus.PRE || orderStatus === OrderStatus.IN_PROGRESS
}

/** Returns an order that this browser placed, or undefined. */
export async function findOwnOrder(orderNo: string): Promise<Order | undefined> {
  if (!(await hasAccess(orderNo))) return undefined
  const stored = findStoredOrder(orderNo)
  // An order that has ended is complete, also while the gateway cannot be reached.
  if (stored !== undefined && !isOpen(stored)) return stored
  try {
    return await orders.get(getGateway(), { orderNo })
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

/**
 * Waits for an order's next status, and returns the order. It reads the gateway, so that it also works while
 * no webhook arrives.
 */
export async function waitForNextStatus(order: Order, signal: AbortSignal): Promise<Order> {
  const { orderNo, orderStatus } = order
  try {
    return await orders.waitFor(getGateway(), {
      orderNo,
      until: (next) => next.orderStatus !== orderStatus,
      timeout: WAIT_MS,
      signal,
    })
  } catch (error) {
    if (isMintmarkError(error) && error.kind === 'Timeout') return order
    throw error
  }
}
