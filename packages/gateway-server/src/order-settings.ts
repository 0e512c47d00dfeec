/** How orders are kept; the README of this package lists the settings. */
export interface OrderSettings {
  /** How long an order waits for its payment. */
  readonly expirySeconds: number
  /** The same of an order that came of an auction or an accepted offer. */
  readonly awardExpirySeconds: number
  /** Open orders that one wallet may have of one listing. */
  readonly openOrders: number
  /** After how long without any node knowing its transactions an order in progress has FAILED. */
  readonly unseenSeconds: number
  /** How long stock stays reserved after the first report of a payment, unless one was mined that is not final yet. */
  readonly reservationSeconds: number
  /** For how long a transaction that was reported for an order that had ended is looked for. */
  readonly lateDays: number
  /** Blocks past finality for which the payment of a SUCCESS is watched for a reorganisation. */
  readonly watchBlocks: number
  /** Two looks at one order are this many milliseconds apart at least; everything slower grows with it. */
  readonly lookEveryMs: number
  /** How long a process has for the orders that it took to look at before another one may. */
  readonly leaseSeconds: number
}

export const DEFAULT_ORDER_SETTINGS: OrderSettings = {
  expirySeconds: 15 * 60,
  awardExpirySeconds: 24 * 60 * 60,
  openOrders: 5,
  unseenSeconds: 10 * 60,
  reservationSeconds: 60 * 60,
  lateDays: 7,
  watchBlocks: 128,
  lookEveryMs: 1000,
  leaseSeconds: 30,
}

/** Transactions that can be reported for one order: a wallet that speeds up sends a few. */
export const MAX_CANDIDATES = 20
