import type { Tenant } from '../../database/tenant.ts'
import type { FindInventory } from '../inventory/order-inventory.ts'
import { reserveUndelivered } from '../inventory/reservations-store.ts'
import * as store from './orders-store.ts'
import { transition } from './state/transition.ts'

interface DeliveryEvent {
  readonly name: string
  readonly hash: string
  /** The operator who decided, and why. Default: none, the chain has shown it. */
  readonly actor?: string
  readonly reason?: string
}

/** How much of an order the chain has not delivered yet, and the event to record for that, if any. */
interface DeliveryUpdate {
  readonly order: number
  readonly missing: bigint
  readonly event?: DeliveryEvent | undefined
}

/** The event of an operator who ends the wait for a delivery. */
export const DELIVERY_CONFIRMED = 'delivery_confirmed'

/**
 * Records how much of a locked order the chain has delivered. The missing units stay reserved for it, as far
 * as the seller had them, and while the contract is registered. What an operator has ended stays ended.
 */
export async function recordDelivery(trx: Tenant, { order, missing, event }: DeliveryUpdate): Promise<void> {
  if (missing > 0n && (await store.hasEvent(trx, { id: order }, DELIVERY_CONFIRMED))) return
  await reserveUndelivered(trx, order, missing)
  const delivery = missing === 0n ? 'done' : 'pending'
  const row = await store.change(trx, { id: order }, { delivery })
  if (event === undefined) return
  const { name, hash, actor = '', reason = '' } = event
  await store.addEvent(trx, row, { event: name, to: row.status, actor, reason, hash })
}

/** Why an order was cancelled without a call. */
const NOT_OWNED = 'not_owned'

/** Cancels a locked, unpaid order whose token a transfer took from the seller. */
export async function cancelByTransfer(
  trx: Tenant,
  findInventory: FindInventory,
  key: { readonly id: number },
): Promise<void> {
  const order = await store.lockById(trx, key.id)
  if (order === undefined) return
  await transition(trx, findInventory, order, 'cancelled_by_transfer', { reason: NOT_OWNED })
  await store.unscheduleCheck(trx, order)
}
