import { OrderStatus } from '@mintmark/orders'
import { ConfigurationError, transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { advance } from '../state/transition.ts'
import { HARMLESS_VERDICTS } from './stuck-orders.ts'

const names = Object.fromEntries(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

export interface Resolution {
  readonly orderNo: string
  readonly event: 'resolved_success' | 'resolved_failed' | 'refunded'
  readonly actor: string
  readonly reason: string
  /** The transaction that counts as its payment; the reported one that pays the order unless given. */
  readonly hash?: string | undefined
  /** A success for which no transaction counts. */
  readonly withoutPayment?: boolean
  /** Needed where two projects have an order of this number. */
  readonly project?: number | undefined
}

/** An order after an operator's decision. */
export interface Resolved {
  readonly projectId: number
  readonly orderNo: string
  readonly status: string
  /** The transaction that counts as its payment; `''` for none. */
  readonly hash: string
  readonly refundDue: boolean
}

/**
 * Decides an order that does not end by itself; the decision is appended to its events. Idempotent: an order that has ended that way already
 * is answered as it is.
 */
export async function resolveOrder(db: Db, resolution: Resolution): Promise<Resolved> {
  return await transaction(db, async (trx) => {
    const order = await lockOrder(trx, resolution)
    const claims = await payments.ofOrder(trx, order)
    if (await isResolved(trx, order, claims, resolution)) return recordOf(order)
    const { event, actor, reason } = resolution
    const hash = event === 'resolved_success' ? chooseHash(order, claims, resolution) : ''
    const done = await advance(trx, order, event, { actor, reason, hash })
    if (done === undefined)
      throw new ConfigurationError(`The order is ${names[order.status]}: ${ENDS_OTHERWISE}`)
    if ('blocked' in done) throw new ConfigurationError(BLOCKED[done.blocked])
    if (event === 'resolved_failed') await closeClaims(trx, order, claims)
    if (event === 'refunded') await closeRefunded(trx, order, claims)
    // What was reported is still read: a payment that is mined later counts, or is owed back.
    if (claims.length > 0) await store.lookAgain(trx, order, 0)
    else await store.lookAgain(trx, order, undefined)
    return recordOf(done.order)
  })
}

const ENDS_OTHERWISE =
  'a SUCCESS is not undone, --as refunded is for a SUCCESS that was paid more than once, and an order in PRE ends by its time or its buyer'

const BLOCKED = {
  payment_used:
    'The transaction counts for another order: give the --hash that paid this one, or --payment none',
  payment_elsewhere:
    'The transaction counts for an order of another project: give the --hash that paid this one, or --payment none',
  no_stock: 'What was ordered is sold to others: pay the buyer back, then resolve the order --as failed',
} as const

async function lockOrder(trx: Db, { orderNo, project }: Resolution): Promise<store.OrderRow> {
  let found = trx.selectFrom('gateway.orders').select(['project_id', 'id']).where('order_no', '=', orderNo)
  if (project !== undefined) found = found.where('project_id', '=', project)
  const [row, other] = await found.execute()
  if (other !== undefined)
    throw new ConfigurationError(`Several projects have an order ${orderNo}: give its --project`)
  const order = row && (await store.lockById(trx, row.project_id, row.id))
  if (order === undefined) throw new ConfigurationError(`There is no order ${orderNo}`)
  return order
}

const ENDED: readonly number[] = [OrderStatus.FAILED, OrderStatus.CANCELLED, OrderStatus.EXPIRED]

/** Whether the order has ended this way already; refuses what would decide nothing. */
async function isResolved(
  trx: Db,
  order: store.OrderRow,
  claims: readonly payments.PaymentRow[],
  { event, hash }: Resolution,
): Promise<boolean> {
  const { status } = order
  if (event === 'resolved_success' && status === OrderStatus.SUCCESS) {
    if (hash === undefined || hash === order.tx_id) return true
    throw new ConfigurationError(`The order is SUCCESS already, by ${order.tx_id || 'no transaction'}`)
  }
  if (event === 'refunded' && status === OrderStatus.SUCCESS && !order.refund_due) {
    if (await store.hasEvent(trx, order, event)) return true
    throw new ConfigurationError('The order was paid once: no refund is due')
  }
  if (event !== 'resolved_failed') return false
  if (status === OrderStatus.PRE && !order.expired)
    throw new ConfigurationError(
      'The order waits for its payment until its time is over: its buyer can cancel it',
    )
  const open = order.refund_due || claims.some(({ verdict }) => !HARMLESS_VERDICTS.includes(verdict))
  if (!ENDED.includes(status) || open) return false
  if (claims.length > 0 || (await store.hasEvent(trx, order, event))) return true
  throw new ConfigurationError(
    `The order is ${names[status]} and no transaction was reported for it: there is nothing to resolve`,
  )
}

/** The transaction that counts as the payment of a success; `''` for none. */
function chooseHash(
  order: store.OrderRow,
  claims: readonly payments.PaymentRow[],
  { hash, withoutPayment = false }: Resolution,
): string {
  if (withoutPayment) return ''
  if (hash !== undefined) return hash
  const paid = claims.find(({ verdict }) => verdict === 'paid')
  if (paid !== undefined) return paid.hash
  const own = claims.find((claim) => claim.hash === order.hash)
  const closed = own?.verdict === 'refunded'
  if (order.status === OrderStatus.UNRESOLVED && order.hash !== '' && !closed) return order.hash
  throw new ConfigurationError(
    'No reported transaction is known to pay the order: give the --hash that paid it, or --payment none',
  )
}

/**
 * The operator has settled what was reported. What is final goes back: it neither revives the order nor, where it paid the order, counts for
 * another one. What is not final is still read, because money may arrive by it.
 */
async function closeClaims(
  trx: Db,
  order: store.OrderRow,
  claims: readonly payments.PaymentRow[],
): Promise<void> {
  for (const { hash, mined_block, verdict } of claims) {
    if (verdict === 'reverted' || verdict === 'unrelated') continue
    if (verdict === 'paid') await payments.consume(trx, order, hash)
    const final = verdict !== '' && verdict !== 'dismissed'
    const shown = { minedBlock: mined_block, seen: false, verdict: final ? 'refunded' : 'dismissed' }
    await payments.keepSighting(trx, order, hash, shown)
  }
}

/** The further payments of a SUCCESS went back. */
async function closeRefunded(
  trx: Db,
  order: store.OrderRow,
  claims: readonly payments.PaymentRow[],
): Promise<void> {
  for (const { hash, mined_block, verdict } of claims) {
    if (verdict !== 'paid' || hash === order.tx_id) continue
    const shown = { minedBlock: mined_block, seen: false, verdict: 'refunded' }
    await payments.keepSighting(trx, order, hash, shown)
  }
}

function recordOf(order: store.OrderRow): Resolved {
  return {
    projectId: order.project_id,
    orderNo: order.order_no,
    status: names[order.status] ?? String(order.status),
    hash: order.tx_id,
    refundDue: order.refund_due,
  }
}
