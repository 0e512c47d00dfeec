import { OrderStatus } from '@mintmark/orders'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import * as store from '../orders-store.ts'
import { transition } from './transition.ts'

/** The result of a buyer's cancellation. */
export type CancelResult =
  | { readonly kind: 'cancelled'; readonly order: store.OrderRow }
  | { readonly kind: 'refused'; readonly reason: 'unknown' | 'expired' | 'not_cancellable' }

/** Cancels an order that waits for its payment. Idempotent: a cancelled order is returned unchanged. */
export async function cancelOrder(
  trx: Tenant,
  findInventory: FindInventory,
  orderNo: string,
): Promise<CancelResult> {
  const order = await store.lock(trx, orderNo)
  if (order === undefined) return { kind: 'refused', reason: 'unknown' }
  if (order.status === OrderStatus.CANCELLED) return { kind: 'cancelled', order }
  if (order.expired && order.status === OrderStatus.PRE) return { kind: 'refused', reason: 'expired' }
  const cancelled = await transition(trx, findInventory, order, 'cancelled', { actor: 'caller' })
  if (cancelled.kind !== 'done') return { kind: 'refused', reason: 'not_cancellable' }
  await store.unscheduleCheck(trx, order)
  return { kind: 'cancelled', order: cancelled.order }
}
