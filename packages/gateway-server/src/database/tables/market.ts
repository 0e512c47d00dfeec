import type { Generated, GeneratedAlways } from 'kysely'
import type { ReferenceColumns } from '../references.ts'
import type {
  Amount,
  AssetSaleColumns,
  ChangingRecordColumns,
  PayTokenColumns,
  RecordColumns,
  Time,
  TimedRecordColumns,
} from './columns.ts'

export interface MarketTables {
  'gateway.listings': AssetSaleColumns & {
    market_type: number
    remaining: number
    /** What open orders wait to pay for. */
    reserved: Generated<number>
    sold: Generated<number>
    /** Of one. */
    pay_price: Amount
    price_key: GeneratedAlways<string>
    start_time: Generated<Date>
    end_time: Date
    reserved_for: Generated<string[]>
    coupon_id: number | null
    status: Generated<'ON' | 'INACTIVE' | 'SOLD' | 'OFF' | 'EXPIRED'>
  }
  'gateway.coupons': TimedRecordColumns &
    ReferenceColumns & {
      market_type: number
      coupon_type: number
      value: Amount
      minimum_amount: Amount
      /** 0: any number. */
      max_redemptions: number
      /** 0: any number. */
      max_per_wallet: number
      /** By orders that were paid and by those that wait. */
      used: Generated<number>
      redeemed: Generated<number>
      start_time: Generated<Date>
      end_time: Date | null
    }
  /** Codes are upper-case. */
  'gateway.coupon_codes': { project_id: number; code: string; coupon_id: number }
  'gateway.coupon_wallets': { project_id: number; coupon_id: number; wallet: string; used: number }
  'gateway.coupon_uses': {
    project_id: number
    order_id: number
    coupon_id: number
    wallet: string
    status: Generated<'RESERVED' | 'REDEEMED' | 'RELEASED'>
    created_at: Time
    updated_at: Time
  }
  'gateway.auctions': AssetSaleColumns & {
    minimum_bid_amount: Amount
    /** 0: none. */
    buyout_bid_amount: Amount
    /** Never returned to callers. */
    reserve_price: Amount
    bid_buffer_bps: number
    time_buffer_seconds: number
    start_time: Date
    end_time: Date
    top_bid: Generated<string>
    top_bidder: Generated<string>
    bid_count: Generated<number>
    status: Generated<'OPEN' | 'INACTIVE' | 'WON' | 'SOLD' | 'UNSOLD' | 'UNPAID' | 'CANCELLED'>
  }
  'gateway.bids': RecordColumns & {
    auction_id: number
    bidder: string
    amount: Amount
  }
  'gateway.offers': ChangingRecordColumns &
    PayTokenColumns &
    ReferenceColumns & {
      offer_no: string
      chain_id: string
      nft_address: string
      /** '': any token of the collection. */
      nft_id: string
      nft_name: Generated<string>
      quantity: number
      offerer: string
      total_price: Amount
      unit_price: GeneratedAlways<string>
      total_key: GeneratedAlways<string>
      expire_time: Date
      status: Generated<'ACTIVE' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED'>
      answered_by: Generated<string>
    }
}
