import type { Auction, Bid } from '@mintmark/market'
import { reserveMet, shownStatus } from './auction-rules.ts'
import type { AuctionRow, BidRow } from './auctions-store.ts'

export function bidOf(row: BidRow): Bid {
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

/** The reserve price stays out of it. */
export function auctionOf(row: AuctionRow, bids: readonly BidRow[]): Auction {
  return {
    bidBufferBps: row.bid_buffer_bps,
    bidCount: row.bid_count,
    bids: bids.map(bidOf),
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
    reserveMet: reserveMet(row),
    seller: row.seller,
    startTime: row.start_time.toISOString(),
    status: shownStatus(row),
    timeBufferInSeconds: row.time_buffer_seconds,
    topBid: row.top_bid,
    topBidder: row.top_bidder,
    updateTime: row.updated_at.toISOString(),
  }
}
