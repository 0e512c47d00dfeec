import { ORDER_NOT_PAYABLE, ORDER_RECIPIENT_MISMATCH, OrderStatus } from '@mintmark/orders'
import { type HttpError, refusal } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import { MAX_CLAIMS } from '../../inventory/order-settings.ts'
import { lockOrder } from '../find-order.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { evaluateReport } from './order-rules.ts'
import { transition } from './transition.ts'

/**
 * The result of reporting a payment. The caller commits the transaction before it throws the error of a
 * refused report: the claim may still turn out to be a payment.
 */
export type ReportResult =
  | { readonly kind: 'accepted'; readonly order: store.OrderRow }
  | { readonly kind: 'refused'; readonly error: HttpError }

/**
 * Records the transaction that a caller reports as an order's payment. The chain decides whether it pays the
 * order, so whoever reports it first gains nothing. A report that comes too late, or after another
 * transaction was mined, is recorded as well and refused: the verifier checks it.
 */
export async function reportPayment(
  trx: Tenant,
  findInventory: FindInventory,
  orderNo: string,
  payment: { readonly hash: string; readonly recipient: string },
): Promise<ReportResult> {
  const order = await lockOrder(trx, orderNo)
  if (order.recipient !== payment.recipient) throw refusal(ORDER_RECIPIENT_MISMATCH)
  const claims = await payments.listClaims(trx, order)
  const mined = claims.some(({ hash, mined_block: block }) => block > 0 && hash !== payment.hash)
  const report = evaluateReport({ ...order, mined }, payment.hash)
  if (report === 'same') {
    // The checks may have ended because no node knew the transaction for days.
    if (order.status !== OrderStatus.SUCCESS) await store.ensureCheck(trx, order)
    return { kind: 'accepted', order }
  }
  await payments.recordClaim(trx, order, payment.hash, MAX_CLAIMS)
  await store.scheduleCheck(trx, order, 0)
  if (report !== 'accepted') {
    // An overdue order releases its inventory before its payment is searched.
    const isOverdue = order.expired && order.status === OrderStatus.PRE
    if (isOverdue) await transition(trx, findInventory, order, 'expired')
    const error = isOverdue ? refusal(ORDER_NOT_PAYABLE, 'The order has expired') : refusal(report)
    return { kind: 'refused', error }
  }
  // A wallet that speeds up a transaction reports again. Only the first report changes the status.
  if (order.status === OrderStatus.PRE)
    await transition(trx, findInventory, order, 'reported', { actor: 'caller', hash: payment.hash })
  return { kind: 'accepted', order: await store.change(trx, order, { hash: payment.hash }) }
}
