import { ConfigurationError, transaction } from '@mintmark/server-kit'
import type { Db } from '../../../database/tables.ts'
import { DELIVERY_CONFIRMED, recordDelivery } from '../delivery.ts'
import * as store from '../orders-store.ts'
import { lockOrder, type OrderKey, type Resolved, recordOf } from './operator.ts'
import { DELIVERABLE } from './stuck-orders.ts'

export interface DeliveryDecision extends OrderKey {
  readonly actor: string
  readonly reason: string
}

/**
 * Ends the wait for the transfer of an order's token by an operator's decision, with who decided, and
 * releases what is reserved for the order. Idempotent.
 */
export async function confirmDelivery(db: Db, decision: DeliveryDecision): Promise<Resolved> {
  return await transaction(db, async (owner) => {
    const { trx, order } = await lockOrder(owner, decision)
    if (order.delivery === 'done' && (await store.hasEvent(trx, order, DELIVERY_CONFIRMED)))
      return recordOf(order)
    if (!DELIVERABLE.includes(order.status) || order.delivery !== 'pending')
      throw new ConfigurationError('The order waits for no delivery')
    if (order.phase_id !== null)
      throw new ConfigurationError(
        'The order is delivered when its mint signature is used. Its buyer can sign at any time',
      )
    const { actor, reason } = decision
    const event = { name: DELIVERY_CONFIRMED, hash: '', actor, reason }
    await recordDelivery(trx, { order: order.id, missing: 0n, event })
    return recordOf(order)
  })
}
