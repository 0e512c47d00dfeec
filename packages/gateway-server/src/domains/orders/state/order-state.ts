import { OrderStatus } from '@mintmark/orders'

/**
 * What became of the inventory of an order: never reserved, reserved, released, or committed to the buyer.
 */
export type Stock = 'none' | 'reserved' | 'released' | 'committed'

/** What can happen to an order. */
export type OrderEvent =
  /** The buyer reported a transaction by `payOrder`. */
  | 'reported'
  /** The buyer cancelled it. */
  | 'cancelled'
  /** A transfer on the chain took the token from the seller. */
  | 'cancelled_by_transfer'
  /** It waited for a payment past its expiry. */
  | 'expired'
  /** Enough was paid, and the payment is final. */
  | 'paid'
  /** Enough was paid after the inventory was released, and others have it by now. */
  | 'paid_without_stock'
  /** A further payment of the same order, or of a part of its price, is final. */
  | 'paid_again'
  /** The payment is final and more than the order costs. */
  | 'overpaid'
  /** The buyer's payment does not match the order. */
  | 'mismatched'
  /** Every reported transaction failed on the chain. */
  | 'reverted'
  /** The reported transactions are final, and none paid for this order. */
  | 'not_paid'
  /** No reported transaction was mined in time. */
  | 'unseen'
  /** A reorganization removed a final payment. */
  | 'reorganized'
  /** An operator resolved it. */
  | 'resolved_success'
  | 'resolved_failed'
  /** The project declined a payment that does not fit: it goes back. */
  | 'declined'
  /** An operator confirmed that an excess payment was paid back. */
  | 'refunded'

/** What happens in the transaction of a transition. */
export type Effect =
  /** The inventory releases what was reserved. */
  | 'release'
  /** The inventory reserves again what was released. */
  | 'reserve'
  /** The inventory commits what was reserved to the buyer, and the sale is recorded. */
  | 'commit'
  /**
   * What was committed but not delivered is taken back: a mint that was not signed. Everything else stays
   * sold.
   */
  | 'revert'
  /** The payment counts, or is due to be paid back, for one order of the project. */
  | 'consume'
  /** The transaction keeps the inventory of this order reserved, and of no other order of the project. */
  | 'dispute'
  /** A refund of the transaction is recorded as due. */
  | 'flag_refund'
  /** The refund of the transaction is recorded as done. */
  | 'settle_refund'
  /**
   * No refund of the order's transactions is due. Those of a SUCCESS that are excess are flagged again by its
   * next check.
   */
  | 'clear_refunds'
  /** The caller alerts an operator once this is committed. */
  | 'alert'

/** The status that an event leads to, and what happens with it. */
export interface Transition {
  readonly to: number
  readonly effects: readonly Effect[]
}

const { PRE, IN_PROGRESS, SUCCESS, FAILED, CANCELLED, EXPIRED, UNRESOLVED } = OrderStatus

const latePayments: Partial<Record<OrderEvent, Transition>> = {
  paid: { to: SUCCESS, effects: ['reserve', 'commit', 'consume'] },
  paid_without_stock: { to: UNRESOLVED, effects: ['consume', 'flag_refund', 'alert'] },
  resolved_success: { to: SUCCESS, effects: ['reserve', 'commit', 'consume', 'clear_refunds'] },
}

/**
 * The transitions of an order that ended unpaid. Resolved as failed, it keeps its status and needs no
 * operator any more.
 */
const unpaidEnd = (status: number): Partial<Record<OrderEvent, Transition>> => ({
  ...latePayments,
  resolved_failed: { to: status, effects: ['clear_refunds'] },
  declined: { to: status, effects: [] },
})

/** Every transition. An event that a status does not list is invalid in it. */
const TRANSITIONS: Record<number, Partial<Record<OrderEvent, Transition>>> = {
  [PRE]: {
    reported: { to: IN_PROGRESS, effects: [] },
    cancelled: { to: CANCELLED, effects: ['release'] },
    cancelled_by_transfer: { to: CANCELLED, effects: ['release'] },
    expired: { to: EXPIRED, effects: ['release'] },
    resolved_failed: { to: EXPIRED, effects: ['release'] },
  },
  [IN_PROGRESS]: {
    reported: { to: IN_PROGRESS, effects: [] },
    paid: { to: SUCCESS, effects: ['commit', 'consume'] },
    mismatched: { to: UNRESOLVED, effects: ['dispute', 'alert'] },
    reverted: { to: FAILED, effects: ['release'] },
    not_paid: { to: FAILED, effects: ['release'] },
    unseen: { to: FAILED, effects: ['release'] },
    resolved_success: { to: SUCCESS, effects: ['commit', 'consume'] },
    resolved_failed: { to: FAILED, effects: ['release'] },
  },
  [SUCCESS]: {
    paid_again: { to: SUCCESS, effects: ['consume', 'flag_refund', 'alert'] },
    overpaid: { to: SUCCESS, effects: ['flag_refund', 'alert'] },
    reorganized: { to: UNRESOLVED, effects: ['alert'] },
    refunded: { to: SUCCESS, effects: ['settle_refund'] },
  },
  [FAILED]: unpaidEnd(FAILED),
  [CANCELLED]: unpaidEnd(CANCELLED),
  [EXPIRED]: unpaidEnd(EXPIRED),
  [UNRESOLVED]: {
    resolved_success: { to: SUCCESS, effects: ['reserve', 'commit', 'consume', 'clear_refunds'] },
    resolved_failed: { to: FAILED, effects: ['release', 'revert', 'clear_refunds'] },
    declined: { to: FAILED, effects: ['release'] },
  },
}

/**
 * Finds the transition of an event, without the effects that the order's inventory has had already. Returns
 * undefined if the event is invalid in this status.
 */
export function findTransition(status: number, event: OrderEvent, stock: Stock): Transition | undefined {
  const transition = TRANSITIONS[status]?.[event]
  if (transition === undefined) return undefined
  return { to: transition.to, effects: transition.effects.filter((effect) => applies(effect, stock)) }
}

function applies(effect: Effect, stock: Stock): boolean {
  switch (effect) {
    case 'release':
      return stock === 'reserved'
    case 'reserve':
      return stock === 'released'
    case 'commit':
      return stock !== 'committed'
    case 'revert':
      return stock === 'committed'
    default:
      return true
  }
}
