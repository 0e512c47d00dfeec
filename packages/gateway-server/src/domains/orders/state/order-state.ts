import { OrderStatus } from '@mintmark/orders'

/** What an order has of its listing: nothing ever, reserved, given back, or sold for good. */
export type Stock = 'none' | 'held' | 'released' | 'taken'

/** What can happen to an order. */
export type OrderEvent =
  /** payOrder: a transaction was reported. */
  | 'reported'
  | 'cancelled'
  /** The chain took from the seller what it is of. */
  | 'withdrawn'
  /** It waited past its time. */
  | 'expired'
  /** Enough was paid, and it is final. */
  | 'paid'
  /** Enough was paid after the stock was given back, and there is none left. */
  | 'paid_without_stock'
  /** Enough was paid, by a transaction that counts for an order of another project. */
  | 'paid_elsewhere'
  /** A further payment of the same order is final. */
  | 'paid_again'
  /** The buyer paid something else than the order asks for. */
  | 'misfit'
  /** All that was reported failed on the chain. */
  | 'reverted'
  /** What was reported is final, and the buyer paid nothing for this order by it. */
  | 'not_paid'
  /** Nothing that was reported was mined in time. */
  | 'unseen'
  /** A final payment is on the chain no more. */
  | 'reorganised'
  /** An operator decided. */
  | 'resolved_success'
  | 'resolved_failed'
  /** An operator confirmed that what was paid too often went back. */
  | 'refunded'

/** What goes with a step, in its transaction. */
export type Effect =
  /** The listing takes back what was reserved; the wallet may order anew. */
  | 'release'
  /** What was given back is reserved again. */
  | 'reserve'
  /** What was reserved is sold: ownership or delivery, the sold count, the sold record. */
  | 'take'
  /** What was sold and nobody has got yet is given back: a mint that was not signed. Everything else stays sold. */
  | 'take_back'
  /** The payment counts, once in the world. */
  | 'consume'
  /** The transaction keeps this order's stock reserved, and no other order's of the project. */
  | 'dispute'
  | 'flag_refund'
  | 'clear_refund'
  /** A person has to look. */
  | 'alert'

export interface Step {
  readonly to: number
  readonly effects: readonly Effect[]
}

const { PRE, IN_PROGRESS, SUCCESS, FAILED, CANCELLED, EXPIRED, UNRESOLVED } = OrderStatus

const late: Partial<Record<OrderEvent, Step>> = {
  paid: { to: SUCCESS, effects: ['reserve', 'take', 'consume'] },
  paid_without_stock: { to: UNRESOLVED, effects: ['flag_refund', 'alert'] },
  paid_elsewhere: { to: UNRESOLVED, effects: ['alert'] },
  resolved_success: { to: SUCCESS, effects: ['reserve', 'take', 'consume', 'clear_refund'] },
}
/** An order that has ended unpaid stays what it is: nobody has to look at it any more. */
const endedAs = (status: number): Partial<Record<OrderEvent, Step>> => ({
  ...late,
  resolved_failed: { to: status, effects: ['clear_refund'] },
})

/** The table: what is not in it, an event cannot do. */
const table: Record<number, Partial<Record<OrderEvent, Step>>> = {
  [PRE]: {
    reported: { to: IN_PROGRESS, effects: [] },
    cancelled: { to: CANCELLED, effects: ['release'] },
    withdrawn: { to: CANCELLED, effects: ['release'] },
    expired: { to: EXPIRED, effects: ['release'] },
    resolved_failed: { to: EXPIRED, effects: ['release'] },
  },
  [IN_PROGRESS]: {
    reported: { to: IN_PROGRESS, effects: [] },
    paid: { to: SUCCESS, effects: ['take', 'consume'] },
    paid_elsewhere: { to: UNRESOLVED, effects: ['dispute', 'alert'] },
    misfit: { to: UNRESOLVED, effects: ['dispute', 'alert'] },
    reverted: { to: FAILED, effects: ['release'] },
    not_paid: { to: FAILED, effects: ['release'] },
    unseen: { to: FAILED, effects: ['release'] },
    resolved_success: { to: SUCCESS, effects: ['take', 'consume'] },
    resolved_failed: { to: FAILED, effects: ['release'] },
  },
  [SUCCESS]: {
    paid_again: { to: SUCCESS, effects: ['consume', 'flag_refund', 'alert'] },
    reorganised: { to: UNRESOLVED, effects: ['alert'] },
    refunded: { to: SUCCESS, effects: ['clear_refund'] },
  },
  [FAILED]: endedAs(FAILED),
  [CANCELLED]: endedAs(CANCELLED),
  [EXPIRED]: endedAs(EXPIRED),
  [UNRESOLVED]: {
    resolved_success: { to: SUCCESS, effects: ['reserve', 'take', 'consume', 'clear_refund'] },
    resolved_failed: { to: FAILED, effects: ['release', 'take_back', 'clear_refund'] },
  },
}

/** What an event does to an order; undefined where the state does not know it. Effects that the stock has had already are left out. */
export function stepOf(status: number, event: OrderEvent, stock: Stock): Step | undefined {
  const step = table[status]?.[event]
  return step && { to: step.to, effects: step.effects.filter((effect) => applies(effect, stock)) }
}

function applies(effect: Effect, stock: Stock): boolean {
  if (effect === 'release') return stock === 'held'
  if (effect === 'reserve') return stock === 'released'
  if (effect === 'take_back') return stock === 'taken'
  return effect !== 'take' || stock !== 'taken'
}
