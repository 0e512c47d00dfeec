/** What an auction's rules look at. Times are by the database's clock. */
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
export const MAX_TIME_BUFFER_SECONDS = 86_400
/** As in thirdweb's English auctions. */
export const DEFAULT_BID_BUFFER_BPS = 500
export const DEFAULT_TIME_BUFFER_SECONDS = 900

/** The least that the next bid must be. The statement that accepts bids says the same (`auctions-store.ts`). */
export function leastBid(auction: AuctionState): bigint {
  const top = BigInt(auction.top_bid)
  if (top === 0n) return BigInt(auction.minimum_bid_amount)
  const [whole, buffered] = [BigInt(WHOLE_BPS), top * BigInt(WHOLE_BPS + auction.bid_buffer_bps)]
  const least = (buffered + whole - 1n) / whole
  const buyout = BigInt(auction.buyout_bid_amount)
  if (buyout > 0n && buyout < least) return buyout
  return least > top ? least : top + 1n
}

export type BidRefusal = 'closed' | 'too_low' | 'too_high'

/** Why a bid was not accepted, as the auction stands. */
export function whyRefused(auction: AuctionState, amount: bigint): BidRefusal {
  if (auction.status !== 'OPEN' || !auction.started || auction.ended) return 'closed'
  return amount < leastBid(auction) ? 'too_low' : 'too_high'
}

export function reserveMet(auction: Pick<AuctionState, 'top_bid' | 'reserve_price'>): boolean {
  return BigInt(auction.top_bid) > 0n && BigInt(auction.top_bid) >= BigInt(auction.reserve_price)
}

/**
 * Past its end an auction is shown as what it will be: nothing waits for the job that writes it. Whether one that is INACTIVE has a winner
 * depends on the chain.
 */
export function shownStatus(auction: AuctionState): string {
  if (!isRunning(auction) || !auction.ended) return auction.status
  if (!reserveMet(auction)) return 'UNSOLD'
  return auction.status === 'OPEN' ? 'WON' : auction.status
}

/** Whether it is not over for good, as far as was written. */
export function isRunning({ status }: Pick<AuctionState, 'status'>): boolean {
  return status === 'OPEN' || status === 'INACTIVE'
}
