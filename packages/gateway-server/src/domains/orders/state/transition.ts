import { OrderStatus } from '@mintmark/orders'
import type { Tenant } from '../../../database/tenant.ts'
import type { FindInventory, Inventory, ReleaseCause } from '../../inventory/order-inventory.ts'
import * as store from '../orders-store.ts'
import { payDue } from '../payments/pay-due.ts'
import * as payments from '../payments/payments-store.ts'
import * as refunds from '../payments/refunds-store.ts'
import { deleteSale, insertSale } from '../sales-store.ts'
import { type Effect, findTransition, type OrderEvent, type Transition } from './order-state.ts'

/**
 * Why a valid transition could not be made: others have the inventory by now, or the payment counts for
 * another order of the project.
 */
export type BlockReason = 'no_stock' | 'payment_used'

/** Who caused an event, why, and by which transaction. */
export interface EventDetails {
  readonly actor?: string
  readonly reason?: string
  readonly hash?: string
  readonly block?: number
  readonly blockHash?: string
  /** What the transaction paid beyond what is owed, in base units. */
  readonly excess?: bigint
  /** The transaction that paid the excess back; empty if it was paid back in another way. */
  readonly refundHash?: string
}

export type TransitionResult =
  | { readonly kind: 'done'; readonly order: store.OrderRow; readonly effects: readonly Effect[] }
  | { readonly kind: 'blocked'; readonly reason: BlockReason }
  /** The order's status does not allow the event. */
  | { readonly kind: 'invalid' }

/** An event of an order, with all that its effects need. */
interface Work extends Required<EventDetails> {
  readonly order: store.OrderRow
  readonly event: OrderEvent
  readonly inventory: Inventory | undefined
}

/**
 * Makes the transition of an event with all its effects, or, if it is blocked, none of them. The transaction
 * must have locked the order.
 */
export async function transition(
  trx: Tenant,
  findInventory: FindInventory,
  order: store.OrderRow,
  event: OrderEvent,
  details: EventDetails = {},
): Promise<TransitionResult> {
  const target = findTransition(order.status, event, order.stock)
  if (target === undefined) return { kind: 'invalid' }
  const {
    actor = '',
    reason = '',
    hash = '',
    block = 0,
    blockHash = '',
    excess = 0n,
    refundHash = '',
  } = details
  try {
    // A savepoint: a blocked transition leaves nothing behind, and the caller's transaction continues.
    const changed = await trx.transaction(async (part) => {
      const inventory = findInventory(part, order)
      const work = { order, event, inventory, actor, reason, hash, block, blockHash, excess, refundHash }
      return await makeTransition(part, work, target)
    })
    return { kind: 'done', order: changed, effects: target.effects }
  } catch (error) {
    if (error instanceof BlockedError) return { kind: 'blocked', reason: error.reason }
    throw error
  }
}

/** Rolls back a transition that something blocks. */
class BlockedError extends Error {
  override name = 'BlockedError'
  readonly reason: BlockReason

  constructor(reason: BlockReason) {
    super(reason)
    this.reason = reason
  }
}

const INVENTORY_EFFECTS: ReadonlySet<Effect> = new Set(['release', 'reserve', 'commit', 'revert'])

async function makeTransition(trx: Tenant, work: Work, { to, effects }: Transition): Promise<store.OrderRow> {
  const { order, event, actor, reason, hash } = work
  if (effects.some((effect) => INVENTORY_EFFECTS.has(effect))) await work.inventory?.lock()
  const changes: store.OrderChanges = { status: to }
  for (const effect of effects) Object.assign(changes, await applyEffect(trx, work, effect))
  if (order.status === OrderStatus.UNRESOLVED) await payments.endDispute(trx, order)
  Object.assign(changes, changesOfStatus(work, to))
  await store.addEvent(trx, order, { event, to, actor, reason, hash })
  return await store.change(trx, order, changes)
}

/** Applies one effect, and returns what it changes of the order. */
async function applyEffect(trx: Tenant, work: Work, effect: Effect): Promise<store.OrderChanges> {
  const { order, event, inventory, hash } = work
  switch (effect) {
    case 'release':
      await inventory?.release(RELEASE_CAUSES[event] ?? 'unpaid')
      return { stock: 'released' }
    case 'reserve':
      if (inventory && !(await inventory.reserve())) throw new BlockedError('no_stock')
      return {}
    case 'commit': {
      const delivery = await inventory?.commit(hash)
      await insertSale(trx, order, hash)
      return { stock: 'committed', ...(delivery && { delivery }) }
    }
    case 'revert':
      if (!(await inventory?.revert())) return {}
      await deleteSale(trx, order)
      return { stock: 'released', delivery: '' }
    case 'consume': {
      if (hash !== '' && !(await payments.consume(trx, order, hash))) throw new BlockedError('payment_used')
      return { paid_amount: await payments.sumPaid(trx, order) }
    }
    case 'dispute':
      if (!(await payments.dispute(trx, order, hash))) throw new BlockedError('payment_used')
      return { paid_amount: await payments.sumPaid(trx, order) }
    case 'flag_refund':
      await refunds.flagRefund(trx, order, { hash, amount: work.excess })
      await payDue(trx, order)
      return { refund_due: await refunds.isRefundDue(trx, order) }
    case 'settle_refund':
      await refunds.settleRefund(trx, order, { hash, refundHash: work.refundHash })
      return { refund_due: await refunds.isRefundDue(trx, order) }
    case 'clear_refunds':
      await refunds.clearRefunds(trx, order)
      return { refund_due: false }
    case 'alert':
      return {}
  }
}

const RELEASE_CAUSES: Partial<Record<OrderEvent, ReleaseCause>> = {
  cancelled: 'cancelled',
  cancelled_by_transfer: 'token_lost',
}

/** What a new status changes of the order beside the effects. */
function changesOfStatus(
  { order, event, reason, hash, block, blockHash }: Work,
  to: number,
): store.OrderChanges {
  // A buyer who removed the order has paid for it after all, or an operator has to resolve it.
  const visible = to === OrderStatus.SUCCESS || to === OrderStatus.UNRESOLVED ? { deleted: false } : {}
  if (to === order.status) return visible
  if (to !== OrderStatus.SUCCESS) return { ...visible, reason }
  // Resolved by an operator without a payment, the order has no transaction, and no block to watch.
  const paid = { ...visible, hash, tx_id: hash, reason: '' }
  const hasNewBlock = block > 0 || event === 'resolved_success'
  return hasNewBlock ? { ...paid, paid_block: block, paid_block_hash: blockHash } : paid
}

/** Expires orders that the same transaction has locked, and returns how many. */
export async function expire(
  trx: Tenant,
  findInventory: FindInventory,
  overdue: readonly store.OrderRow[],
): Promise<number> {
  for (const order of overdue) {
    await transition(trx, findInventory, order, 'expired')
    await store.unscheduleCheck(trx, order)
  }
  return overdue.length
}
