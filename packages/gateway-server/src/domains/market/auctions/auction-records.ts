// The fields of auctions: their limits, their columns and their records.
import { type Auction, auctions, type Bid } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseTime } from '@mintmark/server-kit'
import { type Reader, toReference } from '../../../database/references.ts'
import { FUTURE_TIME, POSITIVE_AMOUNT } from '../../../http/field-limits.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import { getStatus, isReserveMet, WHOLE_BPS } from './auction-rules.ts'
import type { AuctionRow, BidRow } from './auctions-store.ts'

export const auctionLimits: FieldLimits = {
  bidBufferBps: { min: 0, max: WHOLE_BPS },
  endTime: FUTURE_TIME,
  minimumBidAmount: POSITIVE_AMOUNT,
  timeBufferInSeconds: { min: 0, max: 86_400 },
}

/** The defaults of thirdweb's English auctions. */
const DEFAULT_BID_BUFFER_BPS = 500
const DEFAULT_TIME_BUFFER_SECONDS = 900

type AuctionInput = InputOf<typeof auctions.create>

/** Returns the columns that `create` writes, without those of its pay token. */
export function toAuctionColumns({
  payTokenAddress,
  timeBufferInSeconds = DEFAULT_TIME_BUFFER_SECONDS,
  ...input
}: AuctionInput) {
  return {
    ...toColumns(input),
    bid_buffer_bps: input.bidBufferBps ?? DEFAULT_BID_BUFFER_BPS,
    buyout_bid_amount: input.buyoutBidAmount ?? '0',
    end_time: parseTime(input.endTime),
    reserve_price: input.reservePrice ?? '0',
    start_time: parseTime(input.startTime),
    time_buffer_seconds: timeBufferInSeconds,
  }
}

export function toBid(row: BidRow): Bid {
  return toRecord(auctions.Bid, row)
}

/** Returns the record of an auction. The reserve price is secret. */
export function toAuction(row: AuctionRow, bids: readonly BidRow[], reader: Reader): Auction {
  return toRecord(auctions.Auction, row, {
    bids: bids.map(toBid),
    reference: toReference(row, reader),
    reserveMet: isReserveMet(row),
    status: getStatus(row),
    timeBufferInSeconds: row.time_buffer_seconds,
  })
}
