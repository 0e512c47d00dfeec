// The fields of auctions: their limits, their columns and their records.
import type { Auction, auctions, Bid } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseTime } from '@mintmark/server-kit'
import { type Reader, toReference } from '../../../database/references.ts'
import { FUTURE_TIME, POSITIVE_AMOUNT } from '../../../http/field-limits.ts'
import type { AllFields, ColumnsOf } from '../../../http/record-mapping.ts'
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
export function toAuctionColumns(input: AuctionInput) {
  return {
    bid_buffer_bps: input.bidBufferBps ?? DEFAULT_BID_BUFFER_BPS,
    buyout_bid_amount: input.buyoutBidAmount ?? '0',
    end_time: parseTime(input.endTime),
    minimum_bid_amount: input.minimumBidAmount,
    nft_address: input.nftAddress,
    nft_id: input.nftId,
    quantity: input.quantity,
    reference: input.reference,
    reserve_price: input.reservePrice ?? '0',
    seller: input.seller,
    start_time: parseTime(input.startTime),
    time_buffer_seconds: input.timeBufferInSeconds ?? DEFAULT_TIME_BUFFER_SECONDS,
  } satisfies ColumnsOf<AuctionInput, { payTokenAddress: never; timeBufferInSeconds: 'time_buffer_seconds' }>
}

export function toBid(row: BidRow): AllFields<Bid> {
  return {
    amount: row.amount,
    auctionId: row.auction_id,
    bidder: row.bidder,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    id: row.id,
    projectId: row.project_id,
  }
}

/** Returns the record of an auction. The reserve price is secret. */
export function toAuction(row: AuctionRow, bids: readonly BidRow[], reader: Reader): AllFields<Auction> {
  return {
    bidBufferBps: row.bid_buffer_bps,
    bidCount: row.bid_count,
    bids: bids.map(toBid),
    buyoutBidAmount: row.buyout_bid_amount,
    chainId: row.chain_id,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    endTime: row.end_time.toISOString(),
    id: row.id,
    minimumBidAmount: row.minimum_bid_amount,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftImg: row.nft_img,
    nftName: row.nft_name,
    nftType: row.nft_type,
    orderNo: row.order_no,
    payTokenAddress: row.pay_token_address,
    payTokenDecimals: row.pay_token_decimals,
    payTokenType: row.pay_token_type,
    projectId: row.project_id,
    quantity: row.quantity,
    reference: toReference(row, reader),
    reserveMet: isReserveMet(row),
    seller: row.seller,
    startTime: row.start_time.toISOString(),
    status: getStatus(row),
    timeBufferInSeconds: row.time_buffer_seconds,
    topBid: row.top_bid,
    topBidder: row.top_bidder,
    updateTime: row.updated_at.toISOString(),
  }
}
