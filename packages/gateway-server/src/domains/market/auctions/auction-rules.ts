/** The state of an auction. Its flags are by the database's clock. */
export interface AuctionState {
  readonly status: string
  readonly started: boolean
  readonly ended: boolean
  readonly minimum_bid_amount: string
  readonly buyout_bid_amount: string
  readonly reserve_price: string
  readonly bid_buffer_bps: number
  readonly top_bid: string
}

export const WHOLE_BPS = 10_000

/**
 * Computes the lowest bid that is accepted next. The statement that accepts bids has the same rule: see
 * `placeBid`.
 */
export function calculateMinimumBid(auction: AuctionState): bigint {
  const top = BigInt(auction.top_bid)
  if (top === 0n) return BigInt(auction.minimum_bid_amount)
  const whole = BigInt(WHOLE_BPS)
  const buffered = top * BigInt(WHOLE_BPS + auction.bid_buffer_bps)
  const minimum = (buffered + whole - 1n) / whole
  const buyout = BigInt(auction.buyout_bid_amount)
  if (buyout > 0n && buyout < minimum) return buyout
  return minimum > top ? minimum : top + 1n
}

/** Whether an auction accepts bids. */
export function isOpen({ status, started, ended }: AuctionState): boolean {
  return status === 'OPEN' && started && !ended
}

/** Whether the top bid reaches the reserve price. */
export function isReserveMet(auction: Pick<AuctionState, 'top_bid' | 'reserve_price'>): boolean {
  return BigInt(auction.top_bid) > 0n && BigInt(auction.top_bid) >= BigInt(auction.reserve_price)
}

/**
 * Returns the present status: an auction that has ended has its outcome before the job writes it. Whether an
 * INACTIVE auction has a winner depends on the chain.
 */
export function getStatus(auction: AuctionState): string {
  if (!isRunning(auction) || !auction.ended) return auction.status
  if (!isReserveMet(auction)) return 'UNSOLD'
  return auction.status === 'OPEN' ? 'WON' : auction.status
}

/** Whether no outcome is written yet. */
export function isRunning({ status }: Pick<AuctionState, 'status'>): boolean {
  return status === 'OPEN' || status === 'INACTIVE'
}
