/** The settings of orders. `gatewaySettings` declares those that an operator can change. */
export interface OrderSettings {
  /** How long an order waits for its payment. */
  readonly expirySeconds: number
  /** How long the order of an auction's winner or an accepted offer waits. */
  readonly awardExpirySeconds: number
  /** How many open orders a wallet may have of one listing. */
  readonly openOrders: number
  /** How many draws a wallet may have open of one collection: neither signed nor ordered. */
  readonly openDraws: number
  /** How many draws of one collection may be open. */
  readonly openDrawsPerCollection: number
  /** After how long an order in progress has FAILED if no node knows its transactions. */
  readonly unseenSeconds: number
  /**
   * How long inventory stays reserved after the first report of a payment, unless a block holds one that is
   * not final yet.
   */
  readonly reservationSeconds: number
  /** For how long a transaction is checked that was reported for an order that had ended. */
  readonly lateDays: number
  /** Blocks past finality for which the payment of a SUCCESS is watched for a reorganization. */
  readonly watchBlocks: number
  /** The shortest pause between two checks of one order. Longer pauses grow with it. */
  readonly checkEveryMs: number
  /** How long a process may take for the orders that it claimed, before another process may claim them. */
  readonly leaseSeconds: number
}

export const DEFAULT_ORDER_SETTINGS: OrderSettings = {
  expirySeconds: 15 * 60,
  awardExpirySeconds: 24 * 60 * 60,
  openOrders: 5,
  openDraws: 5,
  openDrawsPerCollection: 100,
  unseenSeconds: 10 * 60,
  reservationSeconds: 60 * 60,
  lateDays: 7,
  watchBlocks: 128,
  checkEveryMs: 1000,
  leaseSeconds: 30,
}

/** How many transactions can be reported for one order: a wallet that speeds up a transaction sends a few. */
export const MAX_CLAIMS = 20
