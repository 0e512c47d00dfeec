import { ORDER_NOT_DECLINABLE, OrderStatus } from '@mintmark/orders'
import { refusal } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import { lockOrder } from '../find-order.ts'
import * as store from '../orders-store.ts'
import { payDue } from '../payments/pay-due.ts'
import * as payments from '../payments/payments-store.ts'
import { flagRefund, isRefundDue } from '../payments/refunds-store.ts'
import { transition } from './transition.ts'

/**
 * Ends an order whose payment does not fit, and makes what its buyer paid due to be paid back. Its payments
 * count for this order from then on, so that none of them pays another one while the refund is on its way.
 * Idempotent: a declined order is returned unchanged.
 */
export async function declineOrder(
  trx: Tenant,
  findInventory: FindInventory,
  orderNo: string,
): Promise<store.OrderRow> {
  const order = await lockOrder(trx, orderNo)
  // Who has the goods owes the price. An operator decides about both.
  if (order.stock === 'committed') throw refusal(ORDER_NOT_DECLINABLE)
  const returned = await listReturned(trx, order)
  if (returned.length === 0) {
    if (await store.hasEvent(trx, order, 'declined')) return order
    throw refusal(ORDER_NOT_DECLINABLE)
  }
  const details = { actor: 'caller', reason: order.reason, hash: returned[0]?.hash ?? '' }
  const declined = await transition(trx, findInventory, order, 'declined', details)
  if (declined.kind !== 'done') throw refusal(ORDER_NOT_DECLINABLE)
  for (const { hash, refund, paid_amount: paid, mined_block: minedBlock } of returned) {
    if (refund === '') await flagRefund(trx, order, { hash, amount: BigInt(paid) })
    await payments.saveObservation(trx, order, hash, { minedBlock, seen: false, outcome: 'refunded' })
  }
  await payDue(trx, order)
  await store.scheduleCheck(trx, order, 0)
  return await store.change(trx, order, {
    refund_due: await isRefundDue(trx, order),
    paid_amount: await payments.sumPaid(trx, order),
  })
}

/** Lists the payments that go back, each counted for this order. */
async function listReturned(trx: Tenant, order: store.OrderRow): Promise<payments.Claim[]> {
  const returned: payments.Claim[] = []
  for (const claim of await payments.listClaims(trx, order))
    if (await goesBack(trx, order, claim)) returned.push(claim)
  return returned
}

async function goesBack(trx: Tenant, order: store.OrderRow, claim: payments.Claim): Promise<boolean> {
  const hasRefund = claim.refund !== ''
  // Its buyer may have the money back already.
  if (hasRefund && order.status === OrderStatus.UNRESOLVED) return true
  if (hasRefund) return claim.refund === 'due' && claim.outcome !== 'refunded'
  const payment = { hash: claim.hash, block: claim.mined_block, paid: BigInt(claim.paid_amount) }
  if (claim.outcome === 'part') return claim.mined_block > 0
  if (claim.outcome !== 'not_enough' || payment.paid === 0n) return false
  // An order that it pays is decided first.
  if (await payments.fitsAnyOther(trx, order, payment)) return false
  return await payments.consume(trx, order, claim.hash)
}
