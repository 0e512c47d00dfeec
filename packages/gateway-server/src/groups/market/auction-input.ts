import type { auctions } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import {
  DEFAULT_BID_BUFFER_BPS,
  DEFAULT_TIME_BUFFER_SECONDS,
  MAX_TIME_BUFFER_SECONDS,
  WHOLE_BPS,
} from './auction-rules.ts'

type Terms = Pick<
  InputOf<typeof auctions.create>,
  | 'minimumBidAmount'
  | 'buyoutBidAmount'
  | 'reservePrice'
  | 'startTime'
  | 'endTime'
  | 'bidBufferBps'
  | 'timeBufferInSeconds'
>

/** An auction's terms as they are stored; refuses what no auction can be held by. */
export function readTerms(input: Terms, now: Date, invalid: (field: string, message: string) => never) {
  const { minimumBidAmount, buyoutBidAmount = '0', reservePrice = '0' } = input
  const [minimum, buyout, reserve] = [minimumBidAmount, buyoutBidAmount, reservePrice].map(BigInt)
  if (minimum === 0n) invalid('minimumBidAmount', 'Expected an amount above 0')
  if (buyout !== 0n && (below(buyout, minimum) || below(buyout, reserve)))
    invalid('buyoutBidAmount', 'Expected 0, or at least minimumBidAmount and reservePrice')
  const { bidBufferBps = DEFAULT_BID_BUFFER_BPS, timeBufferInSeconds = DEFAULT_TIME_BUFFER_SECONDS } = input
  if (bidBufferBps < 0 || bidBufferBps > WHOLE_BPS)
    invalid('bidBufferBps', `Expected an integer from 0 to ${WHOLE_BPS}`)
  if (timeBufferInSeconds < 0 || timeBufferInSeconds > MAX_TIME_BUFFER_SECONDS)
    invalid('timeBufferInSeconds', `Expected an integer from 0 to ${MAX_TIME_BUFFER_SECONDS}`)
  const [start, end] = [new Date(input.startTime), new Date(input.endTime)]
  if (end <= start) invalid('endTime', 'Expected a time after startTime')
  if (end <= now) invalid('endTime', 'Expected a time to come')
  return {
    minimum_bid_amount: minimumBidAmount,
    buyout_bid_amount: buyoutBidAmount,
    reserve_price: reservePrice,
    bid_buffer_bps: bidBufferBps,
    time_buffer_seconds: timeBufferInSeconds,
    start_time: start,
    end_time: end,
  }
}

const below = (one: bigint | undefined, other: bigint | undefined) => (one ?? 0n) < (other ?? 0n)
