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
  /** A further payment of the same order is final. */
  | 'paid_again'
  /** What was reported is final, and is no payment of this order. */
  | 'misfit'
  /** All that was reported failed on the chain. */
  | 'reverted'
  /** No node knew any of what was reported for too long. */
  | 'unseen'
  /** A final payment is on the chain no more. */
  | 'reorganised'
  /** An operator decided. */
  | 'resolved_success'
  | 'resolved_failed'

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
  | 'flag_refund'
  /** A person has to look. */
  | 'alert'

export interface Step {
  readonly to: number
  readonly effects: readonly Effect[]
}

const { PRE, IN_PROGRESS, SUCCESS, FAILED, CANCELLED, EXPIRED, UNRESOLVED } = OrderStatus

const late: Partial<Record<OrderEvent, Step>> = {
  paid: { to: SUCCESS, effects: ['reserve', 'take', 'consume'] },
  paid_without_stock: { to: UNRESOLVED, effects: ['alert'] },
}

/** The table: what is not in it, an event cannot do. */
const table: Record<number, Partial<Record<OrderEvent, Step>>> = {
  [PRE]: {
    reported: { to: IN_PROGRESS, effects: [] },
    cancelled: { to: CANCELLED, effects: ['release'] },
    withdrawn: { to: CANCELLED, effects: ['release'] },
    expired: { to: EXPIRED, effects: ['release'] },
  },
  [IN_PROGRESS]: {
    reported: { to: IN_PROGRESS, effects: [] },
    paid: { to: SUCCESS, effects: ['take', 'consume'] },
    misfit: { to: UNRESOLVED, effects: ['alert'] },
    reverted: { to: FAILED, effects: ['release'] },
    unseen: { to: FAILED, effects: ['release'] },
  },
  [SUCCESS]: {
    paid_again: { to: SUCCESS, effects: ['consume', 'flag_refund', 'alert'] },
    reorganised: { to: UNRESOLVED, effects: ['alert'] },
  },
  [FAILED]: late,
  [CANCELLED]: late,
  [EXPIRED]: late,
  [UNRESOLVED]: {
    resolved_success: { to: SUCCESS, effects: ['reserve', 'take', 'consume'] },
    resolved_failed: { to: FAILED, effects: ['release', 'take_back'] },
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
