import { OrderStatus } from '@mintmark/orders'
import type { Db } from '../../../context.ts'
import * as store from '../orders-store.ts'
import { judgePayment, type PaymentReport } from '../state/order-rules.ts'
import { MAX_CANDIDATES } from '../../../order-settings.ts'
import { advance } from '../state/transition.ts'
import * as payments from './payments-store.ts'

/** What reporting a payment came to. */
export type Reported =
  | { readonly answer: 'accepted'; readonly order: store.OrderRow }
  | { readonly answer: 'unknown' | 'taken' | 'full' | Exclude<PaymentReport, 'accepted' | 'same'> }

/**
 * Notes the transaction that is said to pay an order. Whether it does is for the chain to decide, so whoever reports it first gains nothing
 * by it. One that comes too late, or after another one was mined, is noted as well, and answered as refused: it may be a payment all the
 * same, and the verifier finds out.
 */
export async function reportPayment(
  trx: Db,
  project: number,
  orderNo: string,
  payment: { hash: string; recipient: string },
): Promise<Reported> {
  const order = await store.lock(trx, project, orderNo)
  if (order === undefined) return { answer: 'unknown' }
  const known = await payments.ofOrder(trx, order)
  const mined = known.some(({ hash, mined_block: block }) => block > 0 && hash !== payment.hash)
  const report = judgePayment({ ...order, mined }, payment)
  if (report === 'recipient_mismatch') return { answer: report }
  if (report === 'same') {
    // The order may no longer be read, because no node knew the transaction for days.
    if (order.status !== OrderStatus.SUCCESS && order.due_at === null) await store.lookAgain(trx, order, 0)
    return { answer: 'accepted', order }
  }
  const noted = await payments.note(trx, order, payment.hash, MAX_CANDIDATES)
  if (noted !== 'noted') return { answer: noted }
  await store.lookAgain(trx, order, 0)
  if (report !== 'accepted') {
    // It waited past its time: what it has reserved goes back before its payment is looked for.
    if (order.expired && order.status === OrderStatus.PRE) await advance(trx, order, 'expired')
    return { answer: report }
  }
  // A wallet that speeds up reports again and again; only the first time is a step.
  if (order.status === OrderStatus.PRE)
    await advance(trx, order, 'reported', { actor: 'caller', hash: payment.hash })
  return { answer: 'accepted', order: await store.change(trx, order, { hash: payment.hash }) }
}
