import { OrderStatus } from '@mintmark/orders'
import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import { add as addTransfer, pickToken } from '../../contracts/assets/transfers-store.ts'
import { addSale, removeSale } from '../delivery/listing-inventory.ts'
import { stockOf } from '../delivery/order-inventory.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { type Effect, type OrderEvent, type Step, stepOf } from './order-state.ts'

/** Why a step could not be done as the table says. */
export type Blocked = 'no_stock' | payments.Used

/** What goes with an event: who, why, and the transaction that it is about. */
export interface About {
  readonly actor?: string
  readonly reason?: string
  readonly hash?: string
  readonly block?: number
  readonly blockHash?: string
}

export type Advanced =
  | { readonly order: store.OrderRow; readonly step: Step }
  | { readonly blocked: Blocked }
  /** The state does not know the event. */
  | undefined

/** That what was ordered went from the seller to the buyer. */
function transferOf(order: store.OrderRow, hash: string) {
  return {
    ...pickToken(order),
    from_address: order.sender,
    to_address: order.recipient,
    quantity: String(order.quantity),
    order_no: order.order_no,
    hash,
  }
}

const OF_STOCK: ReadonlySet<Effect> = new Set(['release', 'reserve', 'take', 'take_back'])

class Undone extends Error {
  readonly why: Blocked

  constructor(why: Blocked) {
    super(why)
    this.why = why
  }
}

/**
 * Does to an order what an event does, with all that goes with it, or nothing. The order must be locked by the same transaction.
 */
export async function advance(
  trx: Db,
  order: store.OrderRow,
  event: OrderEvent,
  about: About = {},
): Promise<Advanced> {
  const step = stepOf(order.status, event, order.stock)
  if (step === undefined) return undefined
  try {
    return await transaction(trx, async (part) => ({
      order: await takeStep(part, order, event, step, about),
      step,
    }))
  } catch (error) {
    if (error instanceof Undone) return { blocked: error.why }
    throw error
  }
}

async function takeStep(
  trx: Db,
  order: store.OrderRow,
  event: OrderEvent,
  { to, effects }: Step,
  { actor = '', reason = '', hash = '', block = 0, blockHash = '' }: About,
): Promise<store.OrderRow> {
  const stock = stockOf(trx, order)
  const changes: store.OrderChanges = { status: to }
  if (effects.some((effect) => OF_STOCK.has(effect))) await stock?.lock()
  for (const effect of effects) {
    switch (effect) {
      case 'release':
        await stock?.release(event)
        changes.stock = 'released'
        break
      case 'reserve':
        if (stock && !(await stock.reserveAgain())) throw new Undone('no_stock')
        break
      case 'take':
        if (stock) changes.delivery = await stock.take()
        await addSale(trx, order, hash)
        // Of an indexed contract, and of a mint, the chain tells.
        if (changes.delivery === 'done') await addTransfer(trx, transferOf(order, hash))
        changes.stock = 'taken'
        break
      case 'take_back':
        if (!(await stock?.takeBack())) break
        await removeSale(trx, order)
        Object.assign(changes, { stock: 'released', delivery: '' })
        break
      case 'consume': {
        const consumed = hash === '' ? 'counted' : await payments.consume(trx, order, hash)
        if (consumed !== 'counted') throw new Undone(consumed)
        break
      }
      case 'dispute':
        if (!(await payments.dispute(trx, order, hash))) throw new Undone('payment_used')
        break
      case 'flag_refund':
        changes.refund_due = true
        break
      case 'clear_refund':
        changes.refund_due = false
        break
      case 'alert':
        // Told by whoever commits this: see `verifier.ts`.
        break
    }
  }
  // A buyer who removed it has paid for it after all, or somebody has to look.
  if (to === OrderStatus.SUCCESS || to === OrderStatus.UNRESOLVED) changes.deleted = false
  if (order.status === OrderStatus.UNRESOLVED) await payments.endDispute(trx, order)
  if (to === OrderStatus.SUCCESS && order.status !== to) {
    // An operator's decision without a payment leaves none to the order.
    Object.assign(changes, { hash, tx_id: hash, reason: '' })
    // One that an operator decided has no block to watch, whatever it had before.
    if (block > 0 || event === 'resolved_success')
      Object.assign(changes, { paid_block: block, paid_block_hash: blockHash })
  } else if (to !== order.status) {
    changes.reason = reason
  }
  await store.addEvent(trx, order, { event, to, actor, reason, hash })
  return await store.change(trx, order, changes)
}

/** Ends orders that waited past their time, which the same transaction has locked; answers how many. */
export async function expire(trx: Db, waiting: readonly store.OrderRow[]): Promise<number> {
  for (const order of waiting) {
    await advance(trx, order, 'expired')
    await store.lookAgain(trx, order, undefined)
  }
  return waiting.length
}
