import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Amount, Id, Time } from './columns.ts'

export interface MarketTables {
  'gateway.product_nfts': {
    id: Id
    project_id: number
    nft_address: string
    name: string
    owner: string
    adult: Generated<boolean>
    channel: Generated<string>
    description: Generated<string>
    img_url: Generated<string>
    license_code: Generated<string>
    limited: Generated<number>
    media_file_type: Generated<string>
    media_file_url: Generated<string>
    properties: JSONColumnType<{ trait_type: string; value: string }[]>
    royalty_percentage: ColumnType<string, number, number>
    status: Generated<string>
    token_uri: Generated<string>
    deleted: Generated<boolean>
    created_at: Time
    updated_at: Time
  }
  'gateway.listings': {
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
    pay_token_address: Generated<string>
    pay_token_type: Generated<string>
    pay_token_decimals: Generated<number>
    start_time: Generated<Date>
    end_time: Date
    reserved_for: Generated<string[]>
    status: Generated<'ON' | 'INACTIVE' | 'SOLD' | 'OFF' | 'EXPIRED'>
    created_at: Time
    updated_at: Time
  }
}
