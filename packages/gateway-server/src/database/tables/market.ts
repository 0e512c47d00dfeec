import type { Generated, GeneratedAlways } from 'kysely'
import type { ReferenceColumns } from '../references.ts'
import type { Amount, Id, NextTime, Time } from './columns.ts'

export interface MarketTables {
  'gateway.listings': ReferenceColumns & {
    id: Id
    project_id: number
    market_type: number
    asset_id: number
    chain_id: string
    nft_address: string
    nft_id: string
    nft_type: string
    nft_name: Generated<string>
    nft_img: Generated<string>
    seller: string
    quantity: number
    remaining: number
    /** What open orders wait to pay for. */
    reserved: Generated<number>
    sold: Generated<number>
    /** Of one. */
    pay_price: Amount
    price_key: GeneratedAlways<string>
    pay_token_address: Generated<string>
    pay_token_type: Generated<string>
    pay_token_decimals: Generated<number>
    start_time: Generated<Date>
    end_time: Date
    reserved_for: Generated<string[]>
    coupon_id: number | null
    status: Generated<'ON' | 'INACTIVE' | 'SOLD' | 'OFF' | 'EXPIRED'>
    created_at: Time
    time_due_at: NextTime
    time_passed_at: NextTime
    updated_at: Time
  }
  'gateway.coupons': ReferenceColumns & {
    id: Id
    project_id: number
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
    created_at: Time
    time_due_at: NextTime
    time_passed_at: NextTime
    updated_at: Time
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
  'gateway.auctions': ReferenceColumns & {
    id: Id
    project_id: number
    asset_id: number
    chain_id: string
    nft_address: string
    nft_id: string
    nft_type: string
    nft_name: Generated<string>
    nft_img: Generated<string>
    seller: string
    quantity: number
    minimum_bid_amount: Amount
    /** 0: none. */
    buyout_bid_amount: Amount
    /** Never returned to callers. */
    reserve_price: Amount
    bid_buffer_bps: number
    time_buffer_seconds: number
    pay_token_address: Generated<string>
    pay_token_type: Generated<string>
    pay_token_decimals: Generated<number>
    start_time: Date
    end_time: Date
    top_bid: Generated<string>
    top_bidder: Generated<string>
    bid_count: Generated<number>
    status: Generated<'OPEN' | 'INACTIVE' | 'WON' | 'SOLD' | 'UNSOLD' | 'UNPAID' | 'CANCELLED'>
    created_at: Time
    time_due_at: NextTime
    time_passed_at: NextTime
    updated_at: Time
  }
  'gateway.bids': {
    id: Id
    project_id: number
    auction_id: number
    bidder: string
    amount: Amount
    created_at: Time
  }
  'gateway.offers': ReferenceColumns & {
    id: Id
    project_id: number
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
    pay_token_address: Generated<string>
    pay_token_type: Generated<string>
    pay_token_decimals: Generated<number>
    expire_time: Date
    status: Generated<'ACTIVE' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED'>
    answered_by: Generated<string>
    created_at: Time
    updated_at: Time
  }
}
