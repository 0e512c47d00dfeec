import { ORDER_NOT_CANCELLABLE, OrderStatus } from '@mintmark/orders'
import { refusal } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import { lockOrder } from '../find-order.ts'
import * as store from '../orders-store.ts'
import { transition } from './transition.ts'

/** Cancels an order that waits for its payment. Idempotent: a cancelled order is returned unchanged. */
export async function cancelOrder(
  trx: Tenant,
  findInventory: FindInventory,
  orderNo: string,
): Promise<store.OrderRow> {
  const order = await lockOrder(trx, orderNo)
  if (order.status === OrderStatus.CANCELLED) return order
  if (order.expired && order.status === OrderStatus.PRE)
    throw refusal(ORDER_NOT_CANCELLABLE, 'The order has expired')
  const cancelled = await transition(trx, findInventory, order, 'cancelled', { actor: 'caller' })
  if (cancelled.kind !== 'done') throw refusal(ORDER_NOT_CANCELLABLE)
  await store.unscheduleCheck(trx, order)
  return cancelled.order
}
